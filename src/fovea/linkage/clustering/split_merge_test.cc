// SPDX-License-Identifier: Apache-2.0
#include "fovea/linkage/clustering/split_merge.h"

#include <gtest/gtest.h>

#include "fovea/linkage/clustering/grouped_clustering.h"
#include "tests/support/attribute_models.h"
#include "tests/support/partition_chains.h"

namespace fovea::linkage {
namespace {

using testing::invariance_gap;
using testing::PairTable;

TEST(SplitMergeTest, LeavesTheTargetInvariant) {
  const PairTable model(4, 1.5);
  SplitMerge kernel;
  EXPECT_LT(invariance_gap(model, {}, [&](auto& clustering, auto& random) { kernel.step(clustering, random); }), 1e-12);
}

TEST(SplitMergeTest, LeavesTheTargetInvariantIfLargeClustersAreTriedLessOften) {
  const PairTable model(4, 1.5);
  for (const double plenty : {1.0, 2.5, 3.0}) {
    SplitMerge kernel(plenty);
    EXPECT_LT(invariance_gap(model, {}, [&](auto& clustering, auto& random) { kernel.step(clustering, random); }),
              1e-12);
  }
}

TEST(SplitMergeTest, LargeClustersTakeNoMoreWorkThanPlenty) {
  constexpr std::size_t kRecords = 300;
  AttributePairs model(kRecords, 0);
  model.add_attribute(std::vector<std::uint32_t>(kRecords, 0), 1, {1});  // best together
  const auto work_of = [&](SplitMerge kernel) {
    GroupedClustering together(model, Partition(std::vector<ClusterId>(kRecords, 0)));
    Random random(1);
    std::size_t work = 0;
    for (int step = 0; step < 1000; ++step) {
      const mcmc::Decision decision = kernel.step(together, random);
      work += decision.factors + decision.lookups;
    }
    return static_cast<double>(work) / 1000;
  };
  EXPECT_GE(work_of(SplitMerge()), 2 * (kRecords - 2));
  EXPECT_LT(work_of(SplitMerge(30)), 0.15 * work_of(SplitMerge()));
}

TEST(SplitMergeTest, LeavesTheTargetOfATemperatureInvariant) {
  const PairTable model(4, 1.5);
  SplitMerge kernel;
  const auto step = [&](auto& clustering, auto& random) { kernel.step(clustering, random, 0.4); };
  EXPECT_LT(invariance_gap(model, {}, step, 0.4), 1e-12);
  EXPECT_GT(invariance_gap(model, {}, step), 1e-3);
}

/// A model that hides that it has sums.
struct PairsOnly {
  const AttributePairs& model;
  double pair_score(RecordId m, RecordId n) const { return model.pair_score(m, n); }
};

TEST(SplitMergeTest, SumsMakeTheDecisionsOfAllPairs) {
  constexpr std::size_t kRecords = 60;
  const AttributePairs model = testing::sparse_model(kRecords, Random(2));
  const PairsOnly pairs{model};
  GroupedClustering grouped(model, Partition(std::vector<ClusterId>(kRecords, 0)));
  PairClustering plain(pairs, Partition(std::vector<ClusterId>(kRecords, 0)));
  Random random(3), same(3);
  SplitMerge by_sums, by_pairs;
  std::size_t lookups = 0, accepted = 0;
  for (int step = 0; step < 500; ++step) {
    const mcmc::Decision decision = by_sums.step(grouped, random, 20);
    by_pairs.step(plain, same, 20);
    lookups += decision.lookups;
    accepted += decision.accepted;
    ASSERT_TRUE(std::ranges::equal(grouped.partition().clusters(), plain.partition().clusters())) << step;
  }
  EXPECT_GT(lookups, 0u);
  EXPECT_GT(accepted, 20u);
}

/// Wrong on purpose: merges that leave out the probability of the way back.
struct AlwaysMerges {
  template <class Clustering, class Random>
  void step(Clustering& clustering, Random& random) const {
    SplitMerge kernel;
    const std::size_t before = clustering.partition().cluster_count();
    Clustering tried = clustering;
    kernel.step(tried, random);
    if (tried.partition().cluster_count() < before) clustering = tried;
  }
};

TEST(SplitMergeTest, TheCheckSeesAMissingWayBack) {
  const PairTable model(4, 1.5);
  EXPECT_GT(invariance_gap(model, {}, [](auto& clustering, auto& random) { AlwaysMerges().step(clustering, random); }),
            1e-3);
}

TEST(SplitMergeTest, ReachesEveryPartition) {
  const PairTable model(3, 1);
  SplitMerge kernel;
  const auto step = [&](auto& clustering, auto& random) { kernel.step(clustering, random); };
  testing::PartitionLaw reached = testing::transitions(model, {0, 1, 2}, {}, step);
  for (int round = 0; round < 2; ++round)
    for (const auto& [start, p] : testing::PartitionLaw(reached))
      for (const auto& [end, q] : testing::transitions(model, start, {}, step)) reached[end] += p * q;
  EXPECT_EQ(reached.size(), 5u);
}

TEST(SplitMergeTest, LeavesASingleRecordAlone) {
  Random random(1);
  const PairTable model(1, 1);
  PairClustering clustering(model, Partition(1));
  EXPECT_EQ(SplitMerge().step(clustering, random).factors, 0u);
}

}  // namespace
}  // namespace fovea::linkage
