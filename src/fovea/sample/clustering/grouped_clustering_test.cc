// SPDX-License-Identifier: Apache-2.0
#include "fovea/sample/clustering/grouped_clustering.h"

#include <gtest/gtest.h>

#include "fovea/base/random.h"
#include "fovea/sample/clustering/mention_move.h"
#include "fovea/sample/subsample/acceptance_rules.h"

namespace fovea {
namespace {

constexpr std::size_t kMentions = 40;

/// Two attributes, of 3 and 7 values, with normal scores.
AttributePairs made_up_model(Random random) {
  AttributePairs model(kMentions, -0.3);
  for (const std::uint32_t values : {3u, 7u}) {
    std::vector<std::uint32_t> of_mentions(kMentions);
    for (std::uint32_t& value : of_mentions) value = random.uniform_index(values);
    std::vector<float> scores(values * values);
    for (std::uint32_t v = 0; v < values; ++v)
      for (std::uint32_t w = 0; w <= v; ++w)
        scores[v * values + w] = scores[w * values + v] = static_cast<float>(random.normal());
    model.add_attribute(of_mentions, values, scores);
  }
  return model;
}

TEST(GroupedClusteringTest, SumsAreThoseOverAllPairs) {
  Random random(1);
  const AttributePairs model = made_up_model(random);
  GroupedClustering clustering(model, Partition(kMentions));
  std::size_t most_factors = 0;
  for (int step = 0; step < 6000; ++step) {
    const MentionId m = random.uniform_index(kMentions);
    // Two entities of many, then many of few: sums come and go.
    const EntityId to = random.uniform_index(step / 1000 % 2 == 0 ? 2 : kMentions);
    if (to == clustering.partition().entity(m)) continue;
    const auto change = clustering.change(m, to);
    const GroupedSum grouped = change.grouped();
    ASSERT_NEAR(grouped.sum, total_difference(change), 1e-9);
    ASSERT_LE(grouped.lookups, 2u * model.attribute_count());
    most_factors = std::max(most_factors, grouped.factors);
    clustering.move(m, to);
  }
  EXPECT_LE(most_factors, 2u * 15);
}

TEST(GroupedClusteringTest, MakesTheDecisionsOfAllFactors) {
  const AttributePairs model = made_up_model(Random(2));
  GroupedClustering grouped(model, Partition(kMentions));
  PairClustering plain(model, Partition(kMentions));
  Random random(3), same(3);
  GroupedRule by_counts;
  ExactRule by_pairs;
  for (int step = 0; step < 5000; ++step) {
    move_mention(grouped, CompanionProposal(0.1), by_counts, random);
    move_mention(plain, CompanionProposal(0.1), by_pairs, same);
    ASSERT_TRUE(std::ranges::equal(grouped.partition().entities(), plain.partition().entities())) << step;
  }
}

TEST(AttributePairsTest, NoPairScoresBeyondTheBound) {
  const AttributePairs model = made_up_model(Random(4));
  double most = 0;
  for (MentionId m = 0; m < kMentions; ++m)
    for (MentionId n = 0; n < kMentions; ++n) {
      EXPECT_EQ(model.pair_score(m, n), model.pair_score(n, m));
      most = std::max(most, std::abs(model.pair_score(m, n)));
    }
  EXPECT_LE(most, model.score_bound());
  EXPECT_GT(most, model.score_bound() / 4);
}

}  // namespace
}  // namespace fovea
