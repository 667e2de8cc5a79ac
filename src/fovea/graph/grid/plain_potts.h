// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "fovea/base/aligned.h"
#include "fovea/graph/grid/grid_model.h"

namespace fovea::graph {

/// A Potts model with one coupling J >= 0 and without unary scores, at temperature T. A label that n neighbours share
/// has weight w(n) = exp(n J / T), relative to w(0) = 1. So the law of a site is a mixture: with weight 1 every label,
/// and with weight (w(n) - 1) / n the label of each neighbour, n being the number of neighbours that share it. The cost
/// of a draw does not depend on the number of labels.
struct PlainPottsWeights {
  /// The kernel's bytes for "same as the neighbour above" and so on come after the labels.
  static constexpr std::size_t kMaxLabels = 252;
  static constexpr std::size_t kPartitions = 16;

  /// Returns nothing for other models, and if weights would overflow.
  static std::optional<PlainPottsWeights> make(const GridModel& model, double temperature);

  /// Weights of pairs of neighbours, which number the ways in which the four neighbours share labels: a way has as its
  /// number the sum, modulo kPartitions, of the weights of the pairs that share one. No two of the 15 ways have the
  /// same number.
  static constexpr std::uint8_t kAboveBelow = 1, kAboveLeft = 3, kAboveRight = 6, kBelowLeft = 8, kBelowRight = 4,
                                kLeftRight = 9;

  std::size_t label_count = 0;
  /// [n - 1]: (w(n) - 1) / n.
  alignas(kRowAlignment) float excess[kStripSites] = {};
  /// [direction][partition]: label_count plus the weights of the neighbours up to that one, if none is missing.
  alignas(kRowAlignment) float ends[4][kPartitions] = {};
};

}  // namespace fovea::graph
