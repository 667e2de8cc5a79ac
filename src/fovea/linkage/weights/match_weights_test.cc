// SPDX-License-Identifier: Apache-2.0
#include "fovea/linkage/weights/match_weights.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "fovea/base/error.h"

namespace fovea::linkage {
namespace {

const MatchWeights kWeights{.prior_log_odds = -4.1, .weights = {{0, -1.0 / 3, 2e-17}, {.5, 7}}};

TEST(MatchWeights, ScoreIsTheSum) {
  EXPECT_DOUBLE_EQ(kWeights.score(std::vector<Level>{1, 0}), -4.1 - 1.0 / 3 + .5);
  EXPECT_DOUBLE_EQ(kWeights.score(std::vector<Level>{0, 1}), -4.1 + 7);
}

TEST(MatchWeights, MisuseIsABug) {
  EXPECT_THROW(kWeights.score(std::vector<Level>{1}), InternalError);
  EXPECT_THROW(kWeights.score(std::vector<Level>{3, 0}), InternalError);
}

/// The likelihood ratio of "level 2 or 3" is (.1 * 4 + .3 * 2) / .4.
TEST(MatchWeights, RiseWithAgreementAfterPooling) {
  LevelTable weights = {{.5, -1, std::log(4), std::log(2), 3}};
  const LevelTable u = {{1, .5, .1, .3, .1}};
  make_monotone(weights, u, std::vector<std::size_t>{4});
  EXPECT_DOUBLE_EQ(weights[0][0], .5) << "missing";
  EXPECT_DOUBLE_EQ(weights[0][1], -1);
  EXPECT_DOUBLE_EQ(weights[0][2], std::log(1 / .4));
  EXPECT_EQ(weights[0][2], weights[0][3]);
  EXPECT_DOUBLE_EQ(weights[0][4], 3);
}

TEST(MatchWeights, RiseWithinEachRangeOfAContext) {
  LevelTable weights = {{0, -2, 2, -1, 1}}, before = weights;
  make_monotone(weights, {{1, .25, .25, .25, .25}}, std::vector<std::size_t>{2});
  EXPECT_EQ(weights, before);
  make_monotone(weights, {{1, .25, .25, .25, .25}}, std::vector<std::size_t>{4});
  EXPECT_NE(weights, before);
}

TEST(TermFrequencies, AreSmoothed) {
  const TermFrequencies terms({90, 8, 0}, {.pseudo_count = .5});
  EXPECT_DOUBLE_EQ(terms.frequency(0), 90.5 / 100);
  EXPECT_DOUBLE_EQ(terms.frequency(2), .5 / 100);
  EXPECT_DOUBLE_EQ(terms.frequency(0xFFFFFFFF), .5 / 100);
  EXPECT_DOUBLE_EQ(terms.frequency(0) + terms.frequency(1) + terms.frequency(2) + terms.frequency(3), 1);
  EXPECT_DOUBLE_EQ(TermFrequencies({}).frequency(0), 1);
}

/// Weights are logs of m / u, so the mean of their exponentials over pairs of different entities is m: here that of
/// exact agreement, whatever the value. Adjusted or not, and only with u = sum of f^2.
TEST(TermFrequencies, AdjustedWeightsAreStillLikelihoodRatios) {
  const TermFrequencies terms({500, 300, 150, 49, 1}, {.pseudo_count = 1e-6});
  double u = 0;
  for (std::size_t v = 0; v < 5; ++v) u += std::pow(terms.frequency(v), 2);
  const double m = .9, level_weight = std::log(m / u);
  double mean = 0, most = 0;
  for (std::size_t v = 0; v < 5; ++v) {
    const double weight = level_weight + terms.adjustment(v, u);
    EXPECT_GT(weight, most) << "the rarer the value, the more it says";
    most = weight;
    mean += std::pow(terms.frequency(v), 2) * std::exp(weight);
  }
  EXPECT_NEAR(mean, m, 1e-8);
  EXPECT_LT(terms.adjustment(0, u), 0);
}

TEST(TermFrequencies, StrengthScalesTheAdjustment) {
  const TermFrequencies full({3, 1}), half({3, 1}, {.strength = .5}), none({3, 1}, {.strength = 0});
  EXPECT_DOUBLE_EQ(full.adjustment(1, .4), std::log(.4 * 7 / 2));
  EXPECT_DOUBLE_EQ(half.adjustment(1, .4), full.adjustment(1, .4) / 2);
  EXPECT_EQ(none.adjustment(1, .4), 0);
}

TEST(TermFrequencies, RefuseBadOptionsAndU) {
  EXPECT_THROW(TermFrequencies({1}, {.pseudo_count = 0}), UsageError);
  EXPECT_THROW(TermFrequencies({1}, {.strength = 1.5}), UsageError);
  EXPECT_THROW(TermFrequencies({1}).adjustment(0, 0), InternalError);
  EXPECT_THROW(TermFrequencies({1}).adjustment(0, 1.1), InternalError);
}

}  // namespace
}  // namespace fovea::linkage
