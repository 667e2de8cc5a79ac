// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "fovea/base/aligned.h"
#include "fovea/graph/grid/grid_model.h"

namespace fovea::graph {

/// A Potts model of one coupling J >= 0 and no unary scores, at temperature T. A label that n neighbours share has
/// weight w(n) = exp(n J / T), relative to w(0) = 1. So the law of a site is a mixture: with weight 1 every label, and
/// with weight (w(n) - 1) / n the label of each neighbour, n being the neighbours that share it. What a draw costs does
/// not depend on the number of labels.
struct PlainPottsWeights {
  /// The kernel's bytes for "as the neighbour above" and so on follow the labels.
  static constexpr std::size_t kMaxLabels = 252;
  static constexpr std::size_t kPartitions = 16;

  /// Nothing for other models, and where weights would overflow.
  static std::optional<PlainPottsWeights> make(const GridModel& model, double temperature);

  /// Which of the four neighbours share a label, as a number below kPartitions: the sum, modulo that, of these weights
  /// of the pairs that do. They are chosen so that no two of the 15 ways have the same number.
  static constexpr std::uint8_t kAboveBelow = 1, kAboveLeft = 3, kAboveRight = 6, kBelowLeft = 8, kBelowRight = 4,
                                kLeftRight = 9;

  std::size_t label_count = 0;
  /// [n - 1]: (w(n) - 1) / n.
  alignas(kRowAlignment) float excess[kStripSites] = {};
  /// [direction][partition]: label_count plus the weights of the neighbours up to that one, where none is missing.
  alignas(kRowAlignment) float ends[4][kPartitions] = {};
};

}  // namespace fovea::graph
