// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <utility>

namespace fovea::graph::internal {

/// Hash of a set: the sum of the hashes of its members, in any order.
struct SetHash {
  std::uint64_t low = 0, high = 0;

  void add(std::uint64_t member) {
    low += mix(member ^ 0x9E3779B97F4A7C15u);
    high += mix(member + 0xD1B54A32D192ED03u);
  }
  friend bool operator==(const SetHash&, const SetHash&) = default;

  /// The finaliser of SplitMix64 (Steele, Lea and Flood 2014).
  static std::uint64_t mix(std::uint64_t x) {
    x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9u;
    x = (x ^ (x >> 27)) * 0x94D049BB133111EBu;
    return x ^ (x >> 31);
  }
};

/// Sums of components by hash, in bounded memory: when the young generation is full, it becomes the old one, and the
/// old one is forgotten.
class ComponentCache {
 public:
  explicit ComponentCache(double bytes)
      : max_entries_(static_cast<std::size_t>(bytes < 1e15 ? bytes / (2 * kBytesPerEntry) : 1e15) + 1) {}

  /// Returns nullptr if the key is not there. Valid until the next insert.
  const double* find(const SetHash& key) const {
    if (const auto at = young_.find(key); at != young_.end()) return &at->second;
    if (const auto at = old_.find(key); at != old_.end()) return &at->second;
    return nullptr;
  }

  void insert(const SetHash& key, double log_sum) {
    if (young_.size() >= max_entries_) {
      old_ = std::move(young_);
      young_ = {};
    }
    young_.emplace(key, log_sum);
  }

  /// Maximum number of entries that fit.
  std::size_t capacity() const { return 2 * max_entries_; }

  void clear() {
    young_ = {};
    old_ = {};
  }

  void erase(const SetHash& key) {
    young_.erase(key);
    old_.erase(key);
  }

 private:
  static constexpr double kBytesPerEntry =
      80;  // key, value, link and bucket; the key once more where the order is kept

  struct Hash {
    std::size_t operator()(const SetHash& key) const { return static_cast<std::size_t>(key.low); }
  };

  std::size_t max_entries_;
  std::unordered_map<SetHash, double, Hash> young_, old_;
};

}  // namespace fovea::graph::internal
