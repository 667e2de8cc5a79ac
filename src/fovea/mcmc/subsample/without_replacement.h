// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace fovea::mcmc {

/// Draws from {0, ..., n - 1} without repetition, in O(1) each for any n: a shuffle (Fisher and Yates) that is carried
/// out only as far as numbers are drawn, and undone by reset().
class WithoutReplacement {
 public:
  /// Starts again with n numbers.
  void reset(std::size_t n) {
    for (const std::uint32_t place : touched_) numbers_[place] = place;
    touched_.clear();
    while (numbers_.size() < n) numbers_.push_back(static_cast<std::uint32_t>(numbers_.size()));
    size_ = n;
    drawn_ = 0;
  }

  std::size_t left() const { return size_ - drawn_; }

  /// Draws one of the left() numbers that remain; there must be at least one.
  template <class Random>
  std::uint32_t next(Random& random) {
    const auto here = static_cast<std::uint32_t>(drawn_++);
    const std::uint32_t there = here + random.uniform_index(static_cast<std::uint32_t>(size_) - here);
    std::swap(numbers_[here], numbers_[there]);
    touched_.push_back(here);
    touched_.push_back(there);
    return numbers_[here];
  }

 private:
  std::vector<std::uint32_t> numbers_, touched_;  // numbers_[i] == i except where touched
  std::size_t size_ = 0, drawn_ = 0;
};

}  // namespace fovea::mcmc
