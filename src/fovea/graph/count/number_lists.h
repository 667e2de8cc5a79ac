// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace fovea::graph::internal {

/// Lists of numbers, one after the other.
class NumberLists {
 public:
  /// visit(add), called twice, calls add(list, number) for each entry, both times in the same order.
  template <class Visit>
  NumberLists(std::size_t lists, const Visit& visit) : begins_(lists + 1, 0) {
    visit([&](std::size_t list, std::uint32_t) { ++begins_[list + 1]; });
    for (std::size_t i = 0; i < lists; ++i) begins_[i + 1] += begins_[i];
    numbers_.resize(begins_.back());
    std::vector<std::size_t> ends(begins_.begin(), begins_.end() - 1);
    visit([&](std::size_t list, std::uint32_t number) { numbers_[ends[list]++] = number; });
  }

  std::size_t size() const { return begins_.size() - 1; }
  std::span<const std::uint32_t> operator[](std::size_t list) const {
    return {numbers_.data() + begins_[list], numbers_.data() + begins_[list + 1]};
  }

 private:
  std::vector<std::size_t> begins_;
  std::vector<std::uint32_t> numbers_;
};

}  // namespace fovea::graph::internal
