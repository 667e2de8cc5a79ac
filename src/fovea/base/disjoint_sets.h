// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <numeric>
#include <vector>

namespace fovea {

/// Disjoint sets of the numbers 0 .. size - 1 (Tarjan 1975), with path halving. At first each number is a set of its
/// own.
class DisjointSets {
 public:
  explicit DisjointSets(std::size_t size) : parents_(size) {
    std::iota(parents_.begin(), parents_.end(), std::uint32_t{0});
  }

  /// The number that stands for the set of `number`.
  std::uint32_t find(std::uint32_t number) {
    while (parents_[number] != number) number = parents_[number] = parents_[parents_[number]];
    return number;
  }

  /// Unites the sets of both; that of `kept` keeps its representative.
  void unite(std::uint32_t kept, std::uint32_t other) { parents_[find(other)] = find(kept); }

  /// For each number, the one that stands for its set.
  std::vector<std::uint32_t> representatives() {
    for (std::uint32_t number = 0; number < parents_.size(); ++number) parents_[number] = find(number);
    return parents_;
  }

 private:
  std::vector<std::uint32_t> parents_;
};

}  // namespace fovea
