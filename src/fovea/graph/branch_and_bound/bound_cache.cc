// SPDX-License-Identifier: Apache-2.0
#include "fovea/graph/branch_and_bound/bound_cache.h"

#include <algorithm>
#include <bit>
#include <new>

namespace fovea::graph {
namespace {

constexpr std::size_t kFirstSets = std::size_t{1} << 12;

}  // namespace

void BoundCache::Generation::allocate(std::size_t new_size) {
  sets.reset(static_cast<Set*>(std::calloc(new_size, sizeof(Set))));
  if (!sets) throw std::bad_alloc();
  size = new_size;
}

const BoundCache::Entry* BoundCache::Generation::find(const SubproblemKey& key) const {
  if (size == 0) return nullptr;
  for (const Entry& entry : sets[key.place & (size - 1)])
    if (entry.work > 0 && entry.check == key.check) return &entry;
  return nullptr;
}

BoundCache::BoundCache(std::size_t max_bytes)
    : max_sets_(std::bit_floor(std::max<std::size_t>(1, max_bytes * 2 / 3 / sizeof(Set)))) {
  current_.allocate(std::min(kFirstSets, max_sets_));
}

const BoundCache::Entry* BoundCache::find(const SubproblemKey& key) const {
  const Entry* const entry = current_.find(key);
  return entry ? entry : older_.find(key);
}

void BoundCache::store(const SubproblemKey& key, double bound, bool is_solved, std::uint64_t work) {
  Set& set = current_.sets[key.place & (current_.size - 1)];
  auto place =
      std::ranges::find_if(set, [&](const Entry& entry) { return entry.work > 0 && entry.check == key.check; });
  if (place == set.end()) {
    place = std::ranges::min_element(set, {}, [](const Entry& entry) { return std::uint64_t{entry.work}; });
    occupied_ += place->work == 0;
    place->work = 0;
  }
  const std::uint64_t total_work = place->work + std::max<std::uint64_t>(work, 1);
  *place = {.check = key.check, .bound = bound, .work = total_work & (~std::uint64_t{0} >> 1), .is_solved = is_solved};
  if (occupied_ * 4 > current_.size * kWays * 3 && current_.size * 2 <= max_sets_) grow();
}

void BoundCache::grow() {
  const std::size_t size = current_.size * 2;
  older_ = std::move(current_);
  current_.allocate(size);
  occupied_ = 0;
}

}  // namespace fovea::graph
