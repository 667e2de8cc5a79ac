// SPDX-License-Identifier: Apache-2.0
#include "fovea/linkage/weights/match_mixture.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "tests/support/record_pairs.h"

namespace fovea::linkage {
namespace {

using testing::draw_levels;
using ::testing::ElementsAre;
using testing::level_counts;

/// Given name, birth, surname, address, phone, email: what tells matches from pairs by chance is spread evenly.
const FellegiSunterModel kPeople{
    .match_share = 0, .m = LevelTable(6, {1, .08, .12, .8}), .u = LevelTable(6, {1, .96, .035, .005})};

/// Pairs of three blocking rules: name and birth, birth and phone, phone.
class MatchMixtureTest : public ::testing::Test {
 protected:
  static constexpr double kPairs = 5e7;

  /// Adds pairs that agree in `alike` as matches do, and by chance elsewhere.
  void add(std::size_t pairs, const std::vector<bool>& alike) {
    FellegiSunterModel model = kPeople;
    for (std::size_t c = 0; c < alike.size(); ++c)
      if (!alike[c]) model.m[c] = kPeople.u[c];
    for (std::size_t i = 0; i < pairs; ++i) {
      const std::vector<Level> levels = draw_levels(model, true, .1, random_);
      bool is_candidate = false;
      for (std::size_t r = 0; r < kRules.size(); ++r) {
        if (!std::ranges::all_of(kRules[r], [&](std::size_t c) { return levels[c] == 3; })) continue;
        of_rule_[r].add(levels);
        is_candidate = true;
      }
      if (is_candidate) all_.add(levels);
    }
  }

  MatchMixture find() const {
    const MixtureTask task{all_, of_rule_, kRules, kPeople.u, kPairs - all_.total()};
    return find_related_pairs(task, {}, [] {});
  }

  const std::vector<std::vector<std::size_t>> kRules = {{0, 1}, {1}, {4}};
  Random random_{3};
  AgreementPatterns all_{level_counts(kPeople)};
  std::vector<AgreementPatterns> of_rule_{3, all_};
};

TEST_F(MatchMixtureTest, FindsHouseholdsNextToMatches) {
  add(20000, {true, true, true, true, true, true});
  add(15000, {false, false, true, true, true, false});
  add(200000, {false, false, false, false, false, false});
  const MatchMixture mixture = find();
  ASSERT_EQ(mixture.related.size(), 1u);
  // Candidates are the pairs that agree in a rule, so shares are those of a part of the pairs that were drawn.
  EXPECT_NEAR(mixture.match_share * kPairs, 20000 * (1 - std::pow(1 - .72, 2)), 1500);
  EXPECT_THAT(agreeing_comparisons(mixture, 0), ElementsAre(false, false, true, true, true, false));
  const std::vector<double> match = mixture.posterior(std::vector<Level>{3, 3, 3, 3, 3, 3});
  const std::vector<double> household = mixture.posterior(std::vector<Level>{1, 1, 3, 3, 3, 1});
  EXPECT_GT(match[0], .99);
  EXPECT_GT(household[1], .99);
  EXPECT_NEAR(household[0] + household[1] + household[2], 1, 1e-12);
}

TEST_F(MatchMixtureTest, AdditiveWeightsTellHouseholdsFromMatches) {
  add(20000, {true, true, true, true, true, true});
  add(15000, {false, false, true, true, true, false});
  add(200000, {false, false, false, false, false, false});
  const MatchMixture mixture = find();
  const MatchWeights weights = additive_weights(mixture, all_);
  EXPECT_GT(weights.score(std::vector<Level>{3, 3, 3, 3, 3, 3}), 3);
  EXPECT_LT(weights.score(std::vector<Level>{1, 1, 3, 3, 3, 1}), -3) << "a household";
  EXPECT_GT(weights.score(std::vector<Level>{3, 3, 3, 1, 1, 3}), 0) << "somebody who moved";
  EXPECT_LT(weights.score(std::vector<Level>{1, 1, 1, 1, 3, 1}), -3);
}

/// People who moved agree by chance in their addresses, but most of the rules bring their records together.
TEST_F(MatchMixtureTest, MatchesThatDisagreeInAFewColumnsAreNotRelated) {
  add(20000, {true, true, true, true, true, true});
  add(4000, {true, true, true, false, false, true});
  add(200000, {false, false, false, false, false, false});
  EXPECT_TRUE(find().related.empty());
}

TEST_F(MatchMixtureTest, PlainMatchesHaveNothingRelated) {
  add(20000, {true, true, true, true, true, true});
  add(200000, {false, false, false, false, false, false});
  const MatchMixture mixture = find();
  EXPECT_TRUE(mixture.related.empty());
  EXPECT_NEAR(mixture.m[2][3], .8, .02);
}

TEST_F(MatchMixtureTest, IterationsCanBeEnded) {
  add(1000, {true, true, true, true, true, true});
  const MixtureTask task{all_, of_rule_, kRules, kPeople.u, kPairs};
  EXPECT_THROW(find_related_pairs(task, {}, [] { throw std::runtime_error("enough"); }), std::runtime_error);
}

}  // namespace
}  // namespace fovea::linkage
