// SPDX-License-Identifier: Apache-2.0
#include "fovea/sample/clustering/split_merge.h"

#include <gtest/gtest.h>

#include "tests/support/partition_chains.h"

namespace fovea {
namespace {

using testing::exact_law;
using testing::invariance_gap;
using testing::PairTable;

TEST(SplitMergeTest, LeavesTheTargetInvariant) {
  const PairTable model(4, 1.5);
  SplitMerge kernel;
  EXPECT_LT(invariance_gap(exact_law(model), {},
                           [&](Partition& partition, auto& random) { kernel.step(partition, model, random); }),
            1e-12);
}

/// The wrong fixture: scores that the model does not have, in the allocation as in the ratio.
TEST(SplitMergeTest, TheCheckSeesAnotherModel) {
  const PairTable model(4, 1.5), other(4, 1.5, 2);
  SplitMerge kernel;
  EXPECT_GT(invariance_gap(exact_law(model), {},
                           [&](Partition& partition, auto& random) { kernel.step(partition, other, random); }),
            1e-3);
}

TEST(SplitMergeTest, ReachesEveryPartition) {
  const PairTable model(3, 1);
  SplitMerge kernel;
  const auto step = [&](Partition& partition, auto& random) { kernel.step(partition, model, random); };
  testing::PartitionLaw reached = testing::transitions({0, 1, 2}, {}, step);
  for (int round = 0; round < 2; ++round)
    for (const auto& [start, p] : testing::PartitionLaw(reached))
      for (const auto& [end, q] : testing::transitions(start, {}, step)) reached[end] += p * q;
  EXPECT_EQ(reached.size(), 5u);
}

TEST(SplitMergeTest, LeavesASingleMentionAlone) {
  Random random(1);
  Partition partition(1);
  SplitMerge kernel;
  EXPECT_EQ(kernel.step(partition, PairTable(1, 1), random).factors, 0u);
}

}  // namespace
}  // namespace fovea
