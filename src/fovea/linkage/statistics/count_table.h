// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace fovea::linkage {

/// Counts of texts, which are known by their hashes (hash_text).
struct CountTable {
  std::vector<std::uint64_t> hashes;  ///< strictly ascending
  std::vector<std::uint64_t> counts;  ///< [place of the hash] above 0

  std::size_t size() const { return hashes.size(); }

  /// Place of the hash, or size() if it is not there.
  std::size_t find(std::uint64_t hash) const {
    const auto at = std::ranges::lower_bound(hashes, hash);
    return at != hashes.end() && *at == hash ? static_cast<std::size_t>(at - hashes.begin()) : size();
  }

  /// The count, or 1 for what was never counted: it is as rare as anything can be.
  std::uint64_t count(std::uint64_t hash) const {
    const std::size_t place = find(hash);
    return place < size() ? counts[place] : 1;
  }

  void add(std::uint64_t hash, std::uint64_t count) {
    hashes.push_back(hash);
    counts.push_back(count);
  }

  /// Those with counts of at least two: the others are counted as one anyway.
  CountTable repeated() const {
    CountTable table;
    for (std::size_t i = 0; i < size(); ++i)
      if (counts[i] > 1) table.add(hashes[i], counts[i]);
    return table;
  }
};

}  // namespace fovea::linkage
