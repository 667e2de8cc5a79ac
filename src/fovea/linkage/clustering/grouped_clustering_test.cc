// SPDX-License-Identifier: Apache-2.0
#include "fovea/linkage/clustering/grouped_clustering.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "fovea/base/random.h"
#include "fovea/linkage/clustering/cluster_scores.h"
#include "fovea/linkage/clustering/record_move.h"
#include "fovea/mcmc/subsample/acceptance_rules.h"
#include "tests/support/attribute_models.h"
#include "tests/support/partition_chains.h"

namespace fovea::linkage {
namespace {

constexpr std::size_t kGroupedRecords = 40;

void expect_sums_of_all_pairs(const AttributePairs& model) {
  Random random(1);
  GroupedClustering clustering(model, Partition(kGroupedRecords));
  std::size_t most_factors = 0;
  for (int step = 0; step < 6000; ++step) {
    const RecordId m = random.uniform_index(kGroupedRecords);
    // Two clusters of many, then many of few: sums come and go.
    const ClusterId to = random.uniform_index(step / 1000 % 2 == 0 ? 2 : kGroupedRecords);
    if (to == clustering.partition().cluster(m)) continue;
    const auto change = clustering.change(m, to);
    const mcmc::GroupedSum grouped = change.grouped();
    ASSERT_NEAR(grouped.sum, mcmc::total_difference(change), 1e-9);
    ASSERT_LE(grouped.lookups, 2u * model.attribute_count());
    ASSERT_LE(grouped.factors, change.grouped_cost());
    most_factors = std::max(most_factors, grouped.factors);
    clustering.move(m, to);
  }
  EXPECT_LE(most_factors, 2u * 15);
}

TEST(GroupedClusteringTest, SumsAreThoseOverAllPairs) {
  expect_sums_of_all_pairs(testing::dense_model(kGroupedRecords, Random(1)));
  expect_sums_of_all_pairs(testing::sparse_model(kGroupedRecords, Random(1)));
}

TEST(GroupedClusteringTest, MakesTheDecisionsOfAllFactors) {
  const AttributePairs model = testing::sparse_model(kGroupedRecords, Random(2));
  GroupedClustering grouped(model, Partition(kGroupedRecords));
  PairClustering plain(model, Partition(kGroupedRecords));
  Random random(3), same(3);
  mcmc::GroupedRule by_counts;
  mcmc::ExactRule by_pairs;
  for (int step = 0; step < 5000; ++step) {
    move_record(grouped, CompanionProposal(0.1), by_counts, random);
    move_record(plain, CompanionProposal(0.1), by_pairs, same);
    ASSERT_TRUE(std::ranges::equal(grouped.partition().clusters(), plain.partition().clusters())) << step;
  }
}

TEST(RecordChangeTest, SumsOfRangesAreThoseOfTheirDifferences) {
  const AttributePairs model = testing::sparse_model(kGroupedRecords, Random(7));
  std::vector<ClusterId> clusters(kGroupedRecords);
  for (RecordId m = 0; m < kGroupedRecords; ++m) clusters[m] = m % 3;
  const PairClustering clustering(model, Partition(clusters));
  for (const RecordId m : {0u, 18u, 39u}) {
    const auto change = clustering.change(m, (clusters[m] + 1) % 3);
    for (std::size_t begin = 0; begin <= change.size(); ++begin) {
      double sum = 0;
      for (std::size_t end = begin; end <= change.size(); ++end) {
        ASSERT_NEAR(change.sum({begin, end}), sum, 1e-9);
        if (end < change.size()) sum += change.difference(end);
      }
    }
  }
}

TEST(GroupedClusteringTest, WithoutSumsAllPairsAreFactors) {
  const AttributePairs model = testing::dense_model(kGroupedRecords, Random(2));
  const std::vector<ClusterId> together(kGroupedRecords, 3);
  const GroupedClustering with(model, Partition(together));
  const GroupedClustering without(model, Partition(together), ClusterSums::Keep::kNone);
  EXPECT_EQ(with.change(0, 0).grouped_cost(), 1u);
  EXPECT_EQ(without.change(0, 0).grouped_cost(), kGroupedRecords);
  EXPECT_EQ(without.change(0, 0).grouped().factors, kGroupedRecords - 1);
  EXPECT_EQ(without.change(0, 0).grouped().lookups, 0u);
}

TEST(ClusterScoresTest, AreThoseOverAllPairs) {
  const AttributePairs model = testing::sparse_model(kGroupedRecords, Random(5));
  Random random(6);
  std::vector<ClusterId> clusters(kGroupedRecords);
  for (ClusterId& e : clusters) e = random.bernoulli(0.7) ? 4 : random.uniform_index(4);
  const GroupedClustering grouped(model, Partition(clusters));
  const PairClustering plain(model, Partition(clusters));
  const double expected = testing::all_pairs_within(model, clusters);
  EXPECT_NEAR(log_score(grouped), expected, 1e-9);
  EXPECT_NEAR(log_score(plain), expected, 1e-9);
  std::vector<ClusterId> merged = clusters;
  std::ranges::replace(merged, 1, 4);
  const double across = testing::all_pairs_within(model, merged) - expected;
  EXPECT_NEAR(score_between(grouped, 1, 4).sum, across, 1e-9);
  EXPECT_NEAR(score_between(grouped, 4, 1).sum, across, 1e-9);
  EXPECT_EQ(score_between(grouped, 4, 1).lookups, 4 * grouped.partition().size(1));
  EXPECT_EQ(score_between(plain, 4, 1).factors, plain.partition().size(1) * plain.partition().size(4));
}

}  // namespace
}  // namespace fovea::linkage
