// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cmath>
#include <span>
#include <vector>

#include "fovea/graph/temper/score_rows.h"

namespace fovea::graph {

/// Gibbs visits at a temperature: y_v ~ p(. | rest)^inverse_temperature, normalised, from the rows' softened scores.
/// Leaves p^inverse_temperature invariant, variable by variable. A workspace.
class HeatBath {
 public:
  /// Visits v; returns the number of scores looked at or changed.
  template <class R>
  std::size_t visit(ScoreRows& rows, VariableId v, double inverse_temperature, R& random) {
    const std::span<const double> row = rows.row(v);
    const double best = *std::ranges::max_element(row);
    weights_.resize(row.size());
    std::ranges::transform(row, weights_.begin(),
                           [&](double score) { return std::exp((score - best) * inverse_temperature); });
    const auto value = static_cast<Value>(random.categorical(std::span<const double>(weights_)));
    if (value == rows.values()[v]) return row.size();
    return row.size() + rows.assign(v, value);
  }

 private:
  std::vector<double> weights_;
};

}  // namespace fovea::graph
