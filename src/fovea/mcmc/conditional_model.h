// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <concepts>
#include <ranges>
#include <span>

#include "fovea/base/assignment.h"

namespace fovea::mcmc {

/// A distribution over assignments, known up to a constant and conditioned one variable at a time. Models that never
/// build tables (dictionary features, clusterings) satisfy it as well as compiled graphs.
///
///   variable_count()                variables are 0 .. variable_count() - 1
///   cardinality(v)                  values of v are 0 .. cardinality(v) - 1
///   conditional_scores(v, y, out)   out[k] = log p(y_v = k | y_{-v}) + const, k < cardinality(v); -inf is legal
///   markov_blanket(v)               range of VariableId: the variables on which that conditional depends
///   log_score(y)                    unnormalised log p(y)
template <class M>
concept ConditionalModel = requires(const M& m, const Assignment& y, VariableId v, std::span<float> scores) {
  { m.variable_count() } -> std::convertible_to<std::size_t>;
  { m.cardinality(v) } -> std::convertible_to<std::size_t>;
  m.conditional_scores(v, y, scores);
  { m.markov_blanket(v) } -> std::ranges::range;
  { m.log_score(y) } -> std::convertible_to<double>;
};

using fovea::ScoredAssignment;  // enumerations and searches of models call it theirs

}  // namespace fovea::mcmc
