// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string_view>

#include "fovea/graph/format/cost/global_cost.h"

namespace fovea::graph {

/// Cost of the values, read as a word: that of an automaton with costs (wregular), or that of changes until an
/// automaton accepts the word (sregular; with the metric `edit`, insertions and deletions as well).
std::function<double(std::span<const std::uint32_t>)> automaton_cost(std::string_view keyword,
                                                                     const GlobalParameters& parameters);
double automaton_steps(const GlobalParameters& parameters);

/// Least cost of a parse of the values by a grammar in Chomsky normal form: that of changes of values until a parse
/// exists, or with the metric `weight` that of the rules.
std::function<double(std::span<const std::uint32_t>)> grammar_cost(const GlobalParameters& parameters);
double grammar_steps(const GlobalParameters& parameters, std::size_t arity);

}  // namespace fovea::graph
