// SPDX-License-Identifier: Apache-2.0
#include "fovea/linkage/clustering/partition.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "fovea/base/random.h"
#include "tests/support/expect_error.h"

namespace fovea::linkage {
namespace {

/// Checks that everything a partition reports agrees with the cluster of each record.
void expect_consistent(const Partition& partition, const std::vector<ClusterId>& clusters) {
  ASSERT_THAT(partition.clusters(), ::testing::ElementsAreArray(clusters));
  const std::set<ClusterId> in_use(clusters.begin(), clusters.end());
  ASSERT_EQ(partition.cluster_count(), in_use.size());
  std::set<ClusterId> listed;
  for (std::size_t i = 0; i < partition.record_count(); ++i) {
    const ClusterId e = partition.nth_cluster(i);
    listed.insert(e);
    ASSERT_EQ(partition.size(e) > 0, i < partition.cluster_count());
    for (const RecordId m : partition.members(e)) ASSERT_EQ(clusters[m], e);
  }
  ASSERT_EQ(listed.size(), partition.record_count());
  for (RecordId m = 0; m < clusters.size(); ++m) ASSERT_EQ(partition.members(clusters[m])[partition.place(m)], m);
}

TEST(PartitionTest, StartsWithEachRecordAlone) {
  const Partition partition(3);
  expect_consistent(partition, {0, 1, 2});
  EXPECT_THAT(partition.members(1), ElementsAre(1));
}

TEST(PartitionTest, TakesAnyClustering) {
  const std::vector<ClusterId> clusters = {3, 0, 3, 3};
  const Partition partition(clusters);
  expect_consistent(partition, clusters);
  EXPECT_THAT(partition.members(3), UnorderedElementsAre(0, 2, 3));
}

TEST(PartitionTest, MovesAgreeWithAPlainList) {
  constexpr std::uint32_t kRecords = 60;
  Random random(1);
  std::vector<ClusterId> clusters(kRecords, 7);
  Partition partition(clusters);
  for (int step = 0; step < 4000; ++step) {
    // Few clusters, then many: members come and go in large numbers.
    const std::uint32_t targets = step / 500 % 2 == 0 ? 3 : kRecords;
    const RecordId m = random.uniform_index(kRecords);
    const ClusterId to = random.uniform_index(targets);
    partition.move(m, to);
    clusters[m] = to;
    if (step % 16 == 0) expect_consistent(partition, clusters);
  }
}

TEST(PartitionTest, NoRecordsAreAPartition) { EXPECT_EQ(Partition(0).cluster_count(), 0u); }

}  // namespace
}  // namespace fovea::linkage
