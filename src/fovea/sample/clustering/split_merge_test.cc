// SPDX-License-Identifier: Apache-2.0
#include "fovea/sample/clustering/split_merge.h"

#include <gtest/gtest.h>

#include "tests/support/partition_chains.h"

namespace fovea {
namespace {

using testing::invariance_gap;
using testing::PairTable;

TEST(SplitMergeTest, LeavesTheTargetInvariant) {
  const PairTable model(4, 1.5);
  SplitMerge kernel;
  EXPECT_LT(invariance_gap(model, {}, [&](auto& clustering, auto& random) { kernel.step(clustering, random); }), 1e-12);
}

/// The wrong fixture: merges whose way back is forgotten.
struct AlwaysMerges {
  template <class Clustering, class Random>
  void step(Clustering& clustering, Random& random) const {
    SplitMerge kernel;
    const std::size_t before = clustering.partition().entity_count();
    Clustering tried = clustering;
    kernel.step(tried, random);
    if (tried.partition().entity_count() < before) clustering = tried;
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

TEST(SplitMergeTest, LeavesASingleMentionAlone) {
  Random random(1);
  const PairTable model(1, 1);
  PairClustering clustering(model, Partition(1));
  EXPECT_EQ(SplitMerge().step(clustering, random).factors, 0u);
}

}  // namespace
}  // namespace fovea
