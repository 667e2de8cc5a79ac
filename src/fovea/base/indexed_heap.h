// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "fovea/base/aligned.h"
#include "fovea/base/error.h"

namespace fovea {

/// Exact max-priority queue over the ids 0, ..., n - 1, each of which it holds at most once. O(log n) per change, O(1)
/// top. Among equal priorities the smallest id comes first, whatever happened before, so that the order depends on the
/// contents alone. Any float is legal; NaN has a fixed but meaningless place.
///
/// A 4-ary heap of 64-bit keys: the priority, mapped to an integer of the same order, above the inverted id. One
/// comparison of integers decides both, and four siblings share a cache line. Free slots hold the key 0, which is below
/// all others, so that sifting down needs no test for missing children.
class IndexedHeap {
 public:
  using Id = std::uint32_t;

  /// Makes an empty queue for ids below `n`.
  explicit IndexedHeap(std::size_t n) : keys_(n + kRoot + kArity), slots_(n, kAbsent) { FOVEA_CHECK(n < kAbsent); }

  /// Makes a queue of all ids 0, ..., priorities.size() - 1, in O(n).
  explicit IndexedHeap(std::span<const float> priorities) : IndexedHeap(priorities.size()) {
    for (Id id = 0; id < priorities.size(); ++id) place(key_of(id, priorities[id]), id);
    size_ = priorities.size();
    for (std::size_t i = size_; i-- > 0;) sift_down(keys_[kRoot + i], i);
  }

  bool empty() const { return size_ == 0; }
  std::size_t size() const { return size_; }
  bool contains(Id id) const { return slots_[id] != kAbsent; }

  /// Requires contains(id).
  float priority(Id id) const { return priority_of(keys_[kRoot + slots_[id]]); }

  /// The id of the highest priority. Requires !empty().
  Id top() const { return id_of(keys_[kRoot]); }
  float top_priority() const { return priority_of(keys_[kRoot]); }

  /// Requires !contains(id).
  void push(Id id, float priority) { sift_up(key_of(id, priority), size_++); }

  /// Requires contains(id).
  void update(Id id, float priority) {
    const std::size_t slot = slots_[id];
    const Key key = key_of(id, priority);
    if (key > keys_[kRoot + slot]) sift_up(key, slot);
    else sift_down(key, slot);
  }

  /// Removes the top and returns it. Requires !empty().
  Id pop() {
    const Id id = top();
    remove(id);
    return id;
  }

  /// Requires contains(id).
  void remove(Id id) {
    const std::size_t slot = slots_[id];
    slots_[id] = kAbsent;
    const Key last = keys_[kRoot + --size_];
    keys_[kRoot + size_] = 0;
    if (slot == size_) return;
    if (slot > 0 && last > keys_[kRoot + parent(slot)]) sift_up(last, slot);
    else sift_down(last, slot);
  }

 private:
  using Key = std::uint64_t;
  static constexpr Id kAbsent = ~Id{0};
  static constexpr std::size_t kArity = 4;
  static constexpr std::size_t kRoot = 3;  // slot i lies at keys_[kRoot + i], so sibling groups start at multiples of 4

  static std::size_t parent(std::size_t slot) { return (slot - 1) / kArity; }

  // Flips the sign bit of positive floats and all bits of negative ones: the order of floats becomes that of integers.
  static Key key_of(Id id, float priority) {
    const auto bits = std::bit_cast<std::uint32_t>(priority + 0.0f);  // -0 becomes +0
    const std::uint32_t ordered = bits ^ (bits >> 31 ? ~0u : 1u << 31);
    return Key{ordered} << 32 | static_cast<Id>(~id);
  }
  static Id id_of(Key key) { return ~static_cast<Id>(key); }
  static float priority_of(Key key) {
    const auto ordered = static_cast<std::uint32_t>(key >> 32);
    return std::bit_cast<float>(ordered ^ (ordered >> 31 ? 1u << 31 : ~0u));
  }

  void place(Key key, std::size_t slot) {
    keys_[kRoot + slot] = key;
    slots_[id_of(key)] = static_cast<Id>(slot);
  }

  void sift_up(Key key, std::size_t slot) {
    for (; slot > 0 && key > keys_[kRoot + parent(slot)]; slot = parent(slot)) place(keys_[kRoot + parent(slot)], slot);
    place(key, slot);
  }

  void sift_down(Key key, std::size_t slot) {
    while (kArity * slot + 1 < size_) {
      const std::size_t child = largest_child(slot);
      if (keys_[kRoot + child] <= key) break;
      place(keys_[kRoot + child], slot);
      slot = child;
    }
    place(key, slot);
  }

  std::size_t largest_child(std::size_t slot) const {
    const std::size_t first = kArity * slot + 1;
    const Key* c = keys_.data() + kRoot + first;
    const std::size_t left = c[1] > c[0] ? 1 : 0;
    const std::size_t right = c[3] > c[2] ? 3 : 2;
    return first + (c[right] > c[left] ? right : left);
  }

  AlignedVector<Key> keys_;
  std::vector<Id> slots_;
  std::size_t size_ = 0;
};

}  // namespace fovea
