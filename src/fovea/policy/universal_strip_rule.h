// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>

#include "fovea/policy/strip_rule.h"

namespace fovea {

/// The rule in use where no policy is given: learned by `grid_sampling_universal 5 4` (bench/grid_sampling) from grids
/// that the program itself makes, and from nothing else.
inline constexpr std::array<float, StripRule::kWeights> kUniversalStripWeights = {1.264297f,  8.631645f,  0.3546824f,
                                                                                  0.5197397f, 0.5232242f, -5.735373f};
inline constexpr std::array<const char*, 6> kUniversalStripSources = {
    "generated: random fields, 3 labels, coupling 0.8, number 0",
    "generated: random fields, 4 labels, coupling 1, number 1",
    "generated: noisy pictures, 3 labels, coupling 0.8, number 0",
    "generated: noisy pictures, 4 labels, coupling 1, number 1",
    "generated: holes, 3 labels, coupling 0.8, number 0",
    "generated: holes, 4 labels, coupling 1, number 1"};

inline StripRule universal_strip_rule() {
  return {.weights = kUniversalStripWeights, .sources = {kUniversalStripSources.begin(), kUniversalStripSources.end()}};
}

}  // namespace fovea
