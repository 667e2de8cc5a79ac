// SPDX-License-Identifier: Apache-2.0
#include "fovea/linkage/weights/fellegi_sunter_model.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "fovea/base/error.h"
#include "tests/support/expect_error.h"
#include "tests/support/record_pairs.h"

namespace fovea::linkage {
namespace {

using testing::draw_patterns;
using testing::for_each_pattern;
using testing::level_counts;
using testing::pattern_probability;

const FellegiSunterModel kModel{
    .match_share = .2, .m = {{1, .1, .2, .7}, {1, .05, .95}}, .u = {{1, .6, .3, .1}, {1, .9, .1}}};

TEST(FellegiSunterModel, IsALawOfTheLevelsThatAreNotMissing) {
  double sum = 0;
  for_each_pattern(level_counts(kModel), [&](const std::vector<Level>& levels) {
    if (levels[0] != kMissingLevel && levels[1] != kMissingLevel) sum += pattern_probability(kModel, levels);
  });
  EXPECT_NEAR(sum, 1, 1e-15);
}

/// Computes it pair by pair, with products of probabilities and Bayes' rule.
TEST(FellegiSunterModel, ExpectationIsThatOfItsDefinition) {
  Random random(1);
  const AgreementPatterns patterns = draw_patterns(kModel, 500, .2, random);
  const MatchExpectation result = kModel.expect(patterns);
  double log_likelihood = 0, matches = 0;
  LevelTable m = {{0, 0, 0, 0}, {0, 0, 0}}, u = m;
  for (std::size_t i = 0; i < patterns.size(); ++i) {
    const std::vector<Level> levels(patterns.levels(i).begin(), patterns.levels(i).end());
    const double p = pattern_probability(kModel, levels);
    const double match = kModel.match_share * kModel.m[0][levels[0]] * kModel.m[1][levels[1]] / p;
    log_likelihood += patterns.count(i) * std::log(p);
    matches += patterns.count(i) * match;
    for (std::size_t c = 0; c < 2; ++c) {
      m[c][levels[c]] += patterns.count(i) * match;
      u[c][levels[c]] += patterns.count(i) * (1 - match);
    }
    EXPECT_NEAR(kModel.weights().score(levels), std::log(match / (1 - match)), 1e-12);
  }
  EXPECT_NEAR(result.log_likelihood, log_likelihood, 1e-10);
  EXPECT_NEAR(result.matches, matches, 1e-10);
  EXPECT_NEAR(result.others, 500 - matches, 1e-10);
  for (std::size_t c = 0; c < 2; ++c)
    for (std::size_t l = 0; l < m[c].size(); ++l) {
      EXPECT_NEAR(result.m[c][l], m[c][l], 1e-10);
      EXPECT_NEAR(result.u[c][l], u[c][l], 1e-10);
    }
}

TEST(FellegiSunterModel, MissingValuesHaveNoWeight) {
  const MatchWeights weights = kModel.weights();
  EXPECT_NEAR(weights.prior_log_odds, std::log(.25), 1e-15);
  EXPECT_EQ(weights.weights[0][kMissingLevel], 0);
  EXPECT_NEAR(weights.weights[0][3], std::log(7), 1e-15);
}

TEST(FellegiSunterModel, StaysFiniteWhereAProductUnderflows) {
  const FellegiSunterModel certain{
      .match_share = 1e-9, .m = LevelTable(200, {1, 1e-12, 1}), .u = LevelTable(200, {1, 1, 1e-12})};
  AgreementPatterns patterns(std::vector<std::size_t>(200, 3));
  patterns.add(std::vector<Level>(200, 2));
  patterns.add(std::vector<Level>(200, 1));
  const MatchExpectation result = certain.expect(patterns);
  EXPECT_NEAR(result.log_likelihood, std::log(1e-9), 1e-8);
  EXPECT_NEAR(result.matches, 1, 1e-15);
}

TEST(LevelFrequencies, LeaveMissingValuesOutAndAddPseudoCounts) {
  AgreementPatterns patterns({4, 3, 3});
  patterns.add(std::vector<Level>{1, 0, 2}, 5);
  patterns.add(std::vector<Level>{3, 0, 0}, 2);
  const LevelTable u = level_frequencies(patterns, 1);
  EXPECT_THAT(u[0], ElementsAre(1, .6, .1, .3));
  EXPECT_THAT(u[1], ElementsAre(1, .5, .5));
  EXPECT_THAT(u[2], ElementsAre(1, 1.0 / 7, 6.0 / 7));
  EXPECT_THROW(level_frequencies(patterns, 0), InternalError);
  EXPECT_THROW(level_probabilities({5, 0, 0}, 0), InternalError);
}

}  // namespace
}  // namespace fovea::linkage
