// SPDX-License-Identifier: Apache-2.0
#include "fovea/linkage/weights/match_mixture.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <stdexcept>
#include <vector>

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

  MatchMixture find(int threads = 1) const {
    const MixtureTask task{all_, of_rule_, kRules, kPeople.u, kPairs - all_.total()};
    return find_pair_classes(task, {}, threads, [] {});
  }

  static double score_of(const MatchMixture& mixture, std::vector<Level> levels, std::vector<double> adjustments = {}) {
    adjustments.resize(levels.size());
    const MixtureScore scorer(mixture);
    MixtureScore::Sums sums = scorer.start();
    for (std::size_t c = 0; c < levels.size(); ++c) scorer.add(sums, c, levels[c], adjustments[c]);
    return scorer.score(sums);
  }

  const std::vector<std::vector<std::size_t>> kRules = {{0, 1}, {1}, {4}};
  Random random_{3};
  AgreementPatterns all_{level_counts(kPeople)};
  std::vector<AgreementPatterns> of_rule_{3, all_};
};

const std::vector<Level> kAllAlike = {3, 3, 3, 3, 3, 3}, kHousehold = {1, 1, 3, 3, 3, 1}, kMoved = {3, 3, 3, 1, 1, 3};

TEST_F(MatchMixtureTest, FindsHouseholdsNextToMatches) {
  add(20000, {true, true, true, true, true, true});
  add(15000, {false, false, true, true, true, false});
  add(200000, {false, false, false, false, false, false});
  const MatchMixture mixture = find();
  ASSERT_EQ(mixture.classes.size(), 2u);
  EXPECT_TRUE(mixture.has_related());
  EXPECT_TRUE(mixture.classes[0].is_match);
  EXPECT_FALSE(mixture.classes[1].is_match);
  // Candidates are the pairs that agree in a rule, so shares are those of a part of the pairs that were drawn.
  EXPECT_NEAR(mixture.match_share() * kPairs, 20000 * (1 - std::pow(1 - .72, 2)), 1500);
  EXPECT_THAT(agreeing_comparisons(mixture, 1), ElementsAre(false, false, true, true, true, false));
  EXPECT_GT(mixture.match_probability(kAllAlike), .99);
  EXPECT_LT(mixture.match_probability(kHousehold), .01);
  EXPECT_EQ(find(2).match_probability(kMoved), mixture.match_probability(kMoved)) << "threads change nothing";
}

/// Those who moved are a class of their own, but the rules on name and birth bring them together as often.
TEST_F(MatchMixtureTest, PeopleWhoMovedMatchNextToHouseholds) {
  add(20000, {true, true, true, true, true, true});
  add(8000, {true, true, true, false, false, true});
  add(15000, {false, false, true, true, true, false});
  add(200000, {false, false, false, false, false, false});
  const MatchMixture mixture = find();
  EXPECT_TRUE(mixture.has_related());
  EXPECT_GT(mixture.match_probability(kMoved), .9);
  EXPECT_LT(mixture.match_probability(kHousehold), .01);
  const LevelTable levels = mixture.match_levels();
  EXPECT_NEAR(levels[3][3], .8 * 20 / 28, .05) << "the address of all matches";
}

TEST_F(MatchMixtureTest, MatchesThatDisagreeInAFewColumnsAreNotRelated) {
  add(20000, {true, true, true, true, true, true});
  add(4000, {true, true, true, false, false, true});
  add(200000, {false, false, false, false, false, false});
  EXPECT_FALSE(find().has_related());
}

TEST_F(MatchMixtureTest, PlainMatchesHaveNothingRelated) {
  add(20000, {true, true, true, true, true, true});
  add(200000, {false, false, false, false, false, false});
  const MatchMixture mixture = find();
  EXPECT_FALSE(mixture.has_related());
  EXPECT_NEAR(mixture.match_levels()[2][3], .8, .02);
}

TEST_F(MatchMixtureTest, ScoresAreLogOddsOfItsProbabilities) {
  add(20000, {true, true, true, true, true, true});
  add(15000, {false, false, true, true, true, false});
  const MatchMixture mixture = find();
  ASSERT_TRUE(mixture.has_related());
  Random random(5);
  for (int i = 0; i < 100; ++i) {
    const std::vector<Level> levels = draw_levels(kPeople, random.bernoulli(.5), .2, random);
    const double p = mixture.match_probability(levels);
    EXPECT_NEAR(score_of(mixture, levels), std::log(p) - std::log1p(-p), 1e-6);
  }
}

/// A rare given name tells brothers apart, for they share it by chance alone; a rare surname does not.
TEST_F(MatchMixtureTest, RareValuesCountWhereRelatedPairsAgreeByChance) {
  add(20000, {true, true, true, true, true, true});
  add(15000, {false, false, true, true, true, false});
  const MatchMixture mixture = find();
  const std::vector<Level> brothers = {3, 1, 3, 3, 3, 1};
  const double plain = score_of(mixture, brothers);
  EXPECT_NEAR(score_of(mixture, brothers, {2, 0, 0, 0, 0, 0}), plain + 2, .01);
  EXPECT_NEAR(score_of(mixture, brothers, {0, 0, 2, 0, 0, 0}), plain, .01);
}

TEST_F(MatchMixtureTest, IterationsCanBeEnded) {
  add(1000, {true, true, true, true, true, true});
  const MixtureTask task{all_, of_rule_, kRules, kPeople.u, kPairs};
  EXPECT_THROW(find_pair_classes(task, {}, 1, [] { throw std::runtime_error("enough"); }), std::runtime_error);
}

}  // namespace
}  // namespace fovea::linkage
