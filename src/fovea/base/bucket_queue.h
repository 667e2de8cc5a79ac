// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "fovea/base/error.h"

namespace fovea {

/// Approximate max-priority queue over the ids 0, ..., n - 1, each of which it holds at most once. Every operation is
/// O(1).
///
/// Priorities are quantised: [low, high) is cut into kBuckets equal buckets; lower priorities go to the lowest bucket
/// and higher ones to the highest. The top's priority is less than resolution() = (high - low) / kBuckets below the
/// true maximum, clamping aside. Ids leave a bucket in the order in which they entered it, so that no id waits for ever
/// behind its equals; an id whose priority changes within its bucket keeps its place. The order is deterministic.
///
/// Each bucket is a circular doubly-linked list through one array, with a sentinel at its head. Two levels of 64-bit
/// masks give the highest bucket that is not empty.
template <std::uint32_t kWords>
class BasicBucketQueue {
  static_assert(kWords >= 1 && kWords <= 64);

 public:
  using Id = std::uint32_t;
  static constexpr std::uint32_t kBuckets = 64 * kWords;

  /// Makes an empty queue for ids below `n`; low < high, both finite.
  BasicBucketQueue(std::size_t n, float low, float high)
      : low_(low), scale_(kBuckets / (high - low)), buckets_(n, kAbsent), links_(n + kBuckets) {
    FOVEA_CHECK(low < high && scale_ > 0 && n < kAbsentId - kBuckets);
    for (Id i = sentinel(0); i < links_.size(); ++i) links_[i] = {i, i};
  }

  bool empty() const { return size_ == 0; }
  std::size_t size() const { return size_; }
  bool contains(Id id) const { return buckets_[id] != kAbsent; }
  float resolution() const { return 1 / scale_; }

  /// The number of the bucket for `priority`, below kBuckets; NaN counts as lowest.
  std::uint32_t bucket_of(float priority) const {
    const float position = (priority - low_) * scale_;
    if (!(position > 0)) return 0;
    return position < kBuckets - 1 ? static_cast<std::uint32_t>(position) : kBuckets - 1;
  }

  /// The id that has been in the highest bucket for longest. Requires !empty().
  Id top() const { return links_[sentinel(highest_bucket())].next; }

  /// Requires !contains(id).
  void push(Id id, float priority) {
    link(id, bucket_of(priority));
    ++size_;
  }

  /// Requires contains(id).
  void update(Id id, float priority) {
    const std::uint32_t bucket = bucket_of(priority);
    if (bucket == buckets_[id]) return;
    unlink(id);
    link(id, bucket);
  }

  /// Removes the top and returns it. Requires !empty().
  Id pop() {
    const Id id = top();
    remove(id);
    return id;
  }

  /// Requires contains(id).
  void remove(Id id) {
    unlink(id);
    buckets_[id] = kAbsent;
    --size_;
  }

 private:
  struct Link {
    Id next;
    Id previous;
  };
  static constexpr std::uint16_t kAbsent = 0xFFFF;
  static constexpr Id kAbsentId = ~Id{0};

  Id sentinel(std::uint32_t bucket) const { return static_cast<Id>(buckets_.size()) + bucket; }

  std::uint32_t highest_bucket() const {
    const int word = 63 - std::countl_zero(used_words_);
    return static_cast<std::uint32_t>(64 * word + 63 - std::countl_zero(used_[static_cast<std::size_t>(word)]));
  }

  void link(Id id, std::uint32_t bucket) {
    const Id end = sentinel(bucket);
    const Id last = links_[end].previous;
    links_[id] = {end, last};
    links_[last].next = id;
    links_[end].previous = id;
    buckets_[id] = static_cast<std::uint16_t>(bucket);
    used_[bucket / 64] |= std::uint64_t{1} << bucket % 64;
    used_words_ |= std::uint64_t{1} << bucket / 64;
  }

  void unlink(Id id) {
    const auto [next, previous] = links_[id];
    links_[previous].next = next;
    links_[next].previous = previous;
    if (next != previous) return;  // else only the sentinel is left
    const std::uint32_t bucket = buckets_[id];
    used_[bucket / 64] &= ~(std::uint64_t{1} << bucket % 64);
    if (used_[bucket / 64] == 0) used_words_ &= ~(std::uint64_t{1} << bucket / 64);
  }

  float low_;
  float scale_;
  std::vector<std::uint16_t> buckets_;
  std::vector<Link> links_;  ///< of the ids, then of the buckets' sentinels
  std::array<std::uint64_t, kWords> used_ = {};
  std::uint64_t used_words_ = 0;
  std::size_t size_ = 0;
};

using BucketQueue = BasicBucketQueue<64>;
/// A coarse queue that is quick to make, for few ids.
using SmallBucketQueue = BasicBucketQueue<4>;

}  // namespace fovea
