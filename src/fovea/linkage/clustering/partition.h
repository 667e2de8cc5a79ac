// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace fovea::linkage {

using MentionId = std::uint32_t;
using EntityId = std::uint32_t;

/// Which mention belongs to which entity: a partition of mentions 0 .. n-1 into the n entities 0 .. n-1, of which some
/// are empty. Moving a mention takes O(1) (amortised); memory is 28 bytes a mention beside the lists of members.
class Partition {
 public:
  /// Each mention alone in the entity of its number.
  explicit Partition(std::size_t mentions);
  /// entities[m] is the entity of mention m, less than entities.size().
  explicit Partition(std::span<const EntityId> entities);

  std::size_t mention_count() const { return entity_.size(); }
  /// Entities that are not empty.
  std::size_t entity_count() const { return count_; }

  EntityId entity(MentionId m) const { return entity_[m]; }
  std::span<const EntityId> entities() const { return entity_; }
  /// In arbitrary order; valid until the next move.
  std::span<const MentionId> members(EntityId e) const { return {slots_.data() + blocks_[e].begin, blocks_[e].size}; }
  std::size_t size(EntityId e) const { return blocks_[e].size; }
  /// Where m stands in members(entity(m)).
  std::size_t place(MentionId m) const { return place_[m]; }

  /// The entities that are not empty come first, i < entity_count(); then the empty ones, i < mention_count().
  EntityId nth_entity(std::size_t i) const { return order_[i]; }

  void move(MentionId m, EntityId to);

 private:
  /// Members of one entity: slots_[begin, begin + size) of room for 2^room.
  struct Block {
    std::uint32_t begin = 0;
    std::uint32_t size = 0;
    int room = -1;  // none
  };

  void insert(MentionId m, EntityId e);
  void erase(MentionId m);
  void relocate(Block& block, int room);
  std::uint32_t allocate(int room);
  void swap_ranks(std::size_t i, std::size_t j);

  std::vector<EntityId> entity_;      // [mention]
  std::vector<std::uint32_t> place_;  // [mention]
  std::vector<Block> blocks_;         // [entity]
  std::vector<MentionId> slots_;
  std::vector<std::vector<std::uint32_t>> free_;  // [room]: where unused blocks begin
  std::vector<EntityId> order_;                   // the entities, those in use first
  std::vector<std::uint32_t> rank_;               // [entity]: its index in order_
  std::size_t count_ = 0;
};

}  // namespace fovea::linkage
