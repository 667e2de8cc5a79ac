// SPDX-License-Identifier: Apache-2.0
#include "fovea/linkage/clustering/grouped_clustering.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "fovea/base/random.h"
#include "fovea/linkage/clustering/cluster_scores.h"
#include "fovea/linkage/clustering/mention_move.h"
#include "fovea/mcmc/subsample/acceptance_rules.h"
#include "tests/support/attribute_models.h"
#include "tests/support/partition_chains.h"

namespace fovea::linkage {
namespace {

constexpr std::size_t kGroupedMentions = 40;

void expect_sums_of_all_pairs(const AttributePairs& model) {
  Random random(1);
  GroupedClustering clustering(model, Partition(kGroupedMentions));
  std::size_t most_factors = 0;
  for (int step = 0; step < 6000; ++step) {
    const MentionId m = random.uniform_index(kGroupedMentions);
    // Two entities of many, then many of few: sums come and go.
    const EntityId to = random.uniform_index(step / 1000 % 2 == 0 ? 2 : kGroupedMentions);
    if (to == clustering.partition().entity(m)) continue;
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
  expect_sums_of_all_pairs(testing::dense_model(kGroupedMentions, Random(1)));
  expect_sums_of_all_pairs(testing::sparse_model(kGroupedMentions, Random(1)));
}

TEST(GroupedClusteringTest, MakesTheDecisionsOfAllFactors) {
  const AttributePairs model = testing::sparse_model(kGroupedMentions, Random(2));
  GroupedClustering grouped(model, Partition(kGroupedMentions));
  PairClustering plain(model, Partition(kGroupedMentions));
  Random random(3), same(3);
  mcmc::GroupedRule by_counts;
  mcmc::ExactRule by_pairs;
  for (int step = 0; step < 5000; ++step) {
    move_mention(grouped, CompanionProposal(0.1), by_counts, random);
    move_mention(plain, CompanionProposal(0.1), by_pairs, same);
    ASSERT_TRUE(std::ranges::equal(grouped.partition().entities(), plain.partition().entities())) << step;
  }
}

TEST(MentionChangeTest, SumsOfRangesAreThoseOfTheirDifferences) {
  const AttributePairs model = testing::sparse_model(kGroupedMentions, Random(7));
  std::vector<EntityId> entities(kGroupedMentions);
  for (MentionId m = 0; m < kGroupedMentions; ++m) entities[m] = m % 3;
  const PairClustering clustering(model, Partition(entities));
  for (const MentionId m : {0u, 18u, 39u}) {
    const auto change = clustering.change(m, (entities[m] + 1) % 3);
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
  const AttributePairs model = testing::dense_model(kGroupedMentions, Random(2));
  const std::vector<EntityId> together(kGroupedMentions, 3);
  const GroupedClustering with(model, Partition(together));
  const GroupedClustering without(model, Partition(together), EntitySums::Keep::kNone);
  EXPECT_EQ(with.change(0, 0).grouped_cost(), 1u);
  EXPECT_EQ(without.change(0, 0).grouped_cost(), kGroupedMentions);
  EXPECT_EQ(without.change(0, 0).grouped().factors, kGroupedMentions - 1);
  EXPECT_EQ(without.change(0, 0).grouped().lookups, 0u);
}

TEST(ClusterScoresTest, AreThoseOverAllPairs) {
  const AttributePairs model = testing::sparse_model(kGroupedMentions, Random(5));
  Random random(6);
  std::vector<EntityId> entities(kGroupedMentions);
  for (EntityId& e : entities) e = random.bernoulli(0.7) ? 4 : random.uniform_index(4);
  const GroupedClustering grouped(model, Partition(entities));
  const PairClustering plain(model, Partition(entities));
  const double expected = testing::all_pairs_within(model, entities);
  EXPECT_NEAR(log_score(grouped), expected, 1e-9);
  EXPECT_NEAR(log_score(plain), expected, 1e-9);
  std::vector<EntityId> merged = entities;
  std::ranges::replace(merged, 1, 4);
  const double across = testing::all_pairs_within(model, merged) - expected;
  EXPECT_NEAR(score_between(grouped, 1, 4).sum, across, 1e-9);
  EXPECT_NEAR(score_between(grouped, 4, 1).sum, across, 1e-9);
  EXPECT_EQ(score_between(grouped, 4, 1).lookups, 4 * grouped.partition().size(1));
  EXPECT_EQ(score_between(plain, 4, 1).factors, plain.partition().size(1) * plain.partition().size(4));
}

}  // namespace
}  // namespace fovea::linkage
