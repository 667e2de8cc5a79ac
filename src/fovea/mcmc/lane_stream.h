// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

#include "fovea/base/random.h"

namespace fovea::mcmc {

/// Sixteen streams of random numbers side by side, one for each lane of a strip: xoshiro128+ (Blackman and Vigna 2021,
/// "Scrambled linear pseudorandom number generators"), of which kernels use the upper 24 bits. Lane i draws the same
/// numbers under every instruction set. Only lane_draws-inl.h advances it.
struct LaneStream {
  static constexpr std::size_t kLanes = 16;

  explicit LaneStream(Random random) {
    for (auto& word : words)
      for (std::uint32_t& lane : word) lane = 1 + random.uniform_index(0xffffffffu);  // never all zero
  }

  alignas(64) std::uint32_t words[4][kLanes];
};

}  // namespace fovea::mcmc
