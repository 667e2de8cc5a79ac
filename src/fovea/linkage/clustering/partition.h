// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace fovea::linkage {

using RecordId = std::uint32_t;
using ClusterId = std::uint32_t;

/// Partition of the records 0 .. n-1 into the n clusters 0 .. n-1, some of which are empty. Moving a record takes O(1)
/// (amortised); memory is 28 bytes per record in addition to the lists of members.
class Partition {
 public:
  /// Puts each record alone into the cluster with its number.
  explicit Partition(std::size_t records);
  /// clusters[m] is the cluster of record m, less than clusters.size().
  explicit Partition(std::span<const ClusterId> clusters);

  std::size_t record_count() const { return cluster_.size(); }
  /// Number of clusters that are not empty.
  std::size_t cluster_count() const { return count_; }

  ClusterId cluster(RecordId m) const { return cluster_[m]; }
  std::span<const ClusterId> clusters() const { return cluster_; }
  /// Members of a cluster in arbitrary order; valid until the next move.
  std::span<const RecordId> members(ClusterId e) const { return {slots_.data() + blocks_[e].begin, blocks_[e].size}; }
  std::size_t size(ClusterId e) const { return blocks_[e].size; }
  /// Index of m in members(cluster(m)).
  std::size_t place(RecordId m) const { return place_[m]; }

  /// The i-th cluster: first those that are not empty, i < cluster_count(), then the empty ones, i < record_count().
  ClusterId nth_cluster(std::size_t i) const { return order_[i]; }

  void move(RecordId m, ClusterId to);

 private:
  /// Members of one cluster: slots_[begin, begin + size) of room for 2^room.
  struct Block {
    std::uint32_t begin = 0;
    std::uint32_t size = 0;
    int room = -1;  // none
  };

  void insert(RecordId m, ClusterId e);
  void erase(RecordId m);
  void relocate(Block& block, int room);
  std::uint32_t allocate(int room);
  void swap_ranks(std::size_t i, std::size_t j);

  std::vector<ClusterId> cluster_;    // [record]
  std::vector<std::uint32_t> place_;  // [record]
  std::vector<Block> blocks_;         // [cluster]
  std::vector<RecordId> slots_;
  std::vector<std::vector<std::uint32_t>> free_;  // [room]: where unused blocks begin
  std::vector<ClusterId> order_;                  // the clusters, those in use first
  std::vector<std::uint32_t> rank_;               // [cluster]: its index in order_
  std::size_t count_ = 0;
};

}  // namespace fovea::linkage
