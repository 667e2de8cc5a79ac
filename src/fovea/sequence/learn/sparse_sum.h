// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace fovea::sequence {

/// A sum over many parameters, of which only a few are touched at a time.
class SparseSum {
 public:
  explicit SparseSum(std::size_t size) : sums_(size) {}

  void add(std::uint32_t parameter, float amount) {
    // A sum that returns to zero is listed again; take() skips the second entry.
    if (sums_[parameter] == 0) touched_.push_back(parameter);
    sums_[parameter] += amount;
  }

  /// Returns what was added since the last call: each parameter at most once, without zeros. Valid until the next call.
  std::span<const std::pair<std::uint32_t, float>> take() {
    taken_.clear();
    for (const std::uint32_t parameter : touched_)
      if (const float sum = std::exchange(sums_[parameter], 0.0f); sum != 0) taken_.emplace_back(parameter, sum);
    touched_.clear();
    return taken_;
  }

 private:
  std::vector<float> sums_;  // [parameter]
  std::vector<std::uint32_t> touched_;
  std::vector<std::pair<std::uint32_t, float>> taken_;
};

}  // namespace fovea::sequence
