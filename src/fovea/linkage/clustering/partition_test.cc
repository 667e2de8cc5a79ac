// SPDX-License-Identifier: Apache-2.0
#include "fovea/linkage/clustering/partition.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "fovea/base/random.h"

namespace fovea::linkage {
namespace {

using ::testing::ElementsAre;
using ::testing::UnorderedElementsAre;

/// All that a partition says of itself agrees with the entity of each mention.
void expect_consistent(const Partition& partition, const std::vector<EntityId>& entities) {
  ASSERT_THAT(partition.entities(), ::testing::ElementsAreArray(entities));
  const std::set<EntityId> in_use(entities.begin(), entities.end());
  ASSERT_EQ(partition.entity_count(), in_use.size());
  std::set<EntityId> listed;
  for (std::size_t i = 0; i < partition.mention_count(); ++i) {
    const EntityId e = partition.nth_entity(i);
    listed.insert(e);
    ASSERT_EQ(partition.size(e) > 0, i < partition.entity_count());
    for (const MentionId m : partition.members(e)) ASSERT_EQ(entities[m], e);
  }
  ASSERT_EQ(listed.size(), partition.mention_count());
  for (MentionId m = 0; m < entities.size(); ++m) ASSERT_EQ(partition.members(entities[m])[partition.place(m)], m);
}

TEST(PartitionTest, StartsWithEachMentionAlone) {
  const Partition partition(3);
  expect_consistent(partition, {0, 1, 2});
  EXPECT_THAT(partition.members(1), ElementsAre(1));
}

TEST(PartitionTest, TakesAnyClustering) {
  const std::vector<EntityId> entities = {3, 0, 3, 3};
  const Partition partition(entities);
  expect_consistent(partition, entities);
  EXPECT_THAT(partition.members(3), UnorderedElementsAre(0, 2, 3));
}

TEST(PartitionTest, MovesAgreeWithAPlainList) {
  constexpr std::uint32_t kMentions = 60;
  Random random(1);
  std::vector<EntityId> entities(kMentions, 7);
  Partition partition(entities);
  for (int step = 0; step < 4000; ++step) {
    // Few entities, then many: members come and go in numbers.
    const std::uint32_t targets = step / 500 % 2 == 0 ? 3 : kMentions;
    const MentionId m = random.uniform_index(kMentions);
    const EntityId to = random.uniform_index(targets);
    partition.move(m, to);
    entities[m] = to;
    if (step % 16 == 0) expect_consistent(partition, entities);
  }
}

TEST(PartitionTest, NoMentionsAreAPartition) { EXPECT_EQ(Partition(0).entity_count(), 0u); }

}  // namespace
}  // namespace fovea::linkage
