// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>
#include <vector>

#include "fovea/graph/model/factor_graph.h"

namespace fovea::graph {

inline double best_score(std::span<const double> scores) { return *std::ranges::max_element(scores); }

/// exp(score - best), 0 for -inf; best is finite or nothing is possible anyway.
inline float weight_of(double score, double best) {
  return score == -std::numeric_limits<double>::infinity() ? 0.0f : static_cast<float>(std::exp(score - best));
}

/// Sets weights[k] to p(y_v = k | rest), scaled so that the best is 1, by way of logarithms in double: for visits whose
/// product of weights left the range of float. Returns false, with nothing written, if no value is possible.
inline bool weigh_by_scores(const FactorGraph& graph, VariableId v, std::span<const Value> values,
                            std::span<float> weights) {
  std::vector<double> scores(graph.cardinality(v));
  graph.conditional_scores(v, values, scores);
  const double best = best_score(scores);
  if (best == -std::numeric_limits<double>::infinity()) return false;
  std::ranges::transform(scores, weights.begin(), [&](double score) { return weight_of(score, best); });
  return true;
}

/// Sum of weights below which a visit weighs by scores; far above the sums at which floats lose digits.
inline constexpr float kTooSmallWeight = 1e-30f;

}  // namespace fovea::graph
