// SPDX-License-Identifier: Apache-2.0
#include "fovea/linkage/clustering/partition.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "fovea/base/error.h"

namespace fovea::linkage {
namespace {

std::vector<ClusterId> own_clusters(std::size_t records) {
  std::vector<ClusterId> clusters(records);
  std::iota(clusters.begin(), clusters.end(), ClusterId{0});
  return clusters;
}

}  // namespace

Partition::Partition(std::size_t records) : Partition(own_clusters(records)) {}

Partition::Partition(std::span<const ClusterId> clusters)
    : cluster_(clusters.begin(), clusters.end()),
      place_(clusters.size()),
      blocks_(clusters.size()),
      order_(own_clusters(clusters.size())),
      rank_(order_) {
  FOVEA_CHECK(std::ranges::all_of(clusters, [&](ClusterId e) { return e < clusters.size(); }));
  slots_.reserve(2 * clusters.size());
  for (RecordId m = 0; m < clusters.size(); ++m) insert(m, clusters[m]);
}

void Partition::move(RecordId m, ClusterId to) {
  if (to == cluster_[m]) return;
  erase(m);
  insert(m, to);
}

void Partition::insert(RecordId m, ClusterId e) {
  Block& block = blocks_[e];
  if (block.size == 0) swap_ranks(rank_[e], count_++);
  if (block.room < 0 || block.size == std::uint32_t{1} << block.room) relocate(block, block.room + 1);
  cluster_[m] = e;
  place_[m] = block.size;
  slots_[block.begin + block.size++] = m;
}

void Partition::erase(RecordId m) {
  Block& block = blocks_[cluster_[m]];
  const RecordId last = slots_[block.begin + --block.size];
  slots_[block.begin + place_[m]] = last;
  place_[last] = place_[m];
  if (block.size == 0) swap_ranks(rank_[cluster_[m]], --count_);
  // A quarter, not a half: a cluster that gains and loses one member in turn stays where it is.
  if (block.size == 0) relocate(block, -1);
  else if (block.room >= 2 && block.size == std::uint32_t{1} << (block.room - 2)) relocate(block, block.room - 1);
}

/// Moves the block to a place with room for 2^room members, or frees its place if room < 0.
void Partition::relocate(Block& block, int room) {
  const Block old = block;
  block.room = room;
  if (room >= 0) {
    block.begin = allocate(room);
    std::copy_n(slots_.begin() + old.begin, old.size, slots_.begin() + block.begin);
  }
  if (old.room >= 0) free_[static_cast<std::size_t>(old.room)].push_back(old.begin);
}

std::uint32_t Partition::allocate(int room) {
  const auto kind = static_cast<std::size_t>(room);
  if (free_.size() <= kind) free_.resize(kind + 1);
  if (!free_[kind].empty()) {
    const std::uint32_t begin = free_[kind].back();
    free_[kind].pop_back();
    return begin;
  }
  const std::size_t begin = slots_.size();
  slots_.resize(begin + (std::size_t{1} << room));
  return static_cast<std::uint32_t>(begin);
}

void Partition::swap_ranks(std::size_t i, std::size_t j) {
  std::swap(order_[i], order_[j]);
  rank_[order_[i]] = static_cast<std::uint32_t>(i);
  rank_[order_[j]] = static_cast<std::uint32_t>(j);
}

}  // namespace fovea::linkage
