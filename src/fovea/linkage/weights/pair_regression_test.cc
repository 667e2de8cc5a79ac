// SPDX-License-Identifier: Apache-2.0
#include "fovea/linkage/weights/pair_regression.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "fovea/base/error.h"
#include "fovea/base/random.h"
#include "tests/support/expect_error.h"
#include "tests/support/gradient_check.h"

namespace fovea::linkage {
namespace {

using testing::gradient_matches;

/// Level 3 of the first comparison is never seen.
LabelledPatterns random_pairs(int count, std::uint64_t seed) {
  Random random(seed);
  LabelledPatterns pairs({4, 3, 2});
  for (int i = 0; i < count; ++i) {
    const std::vector<Level> levels = {static_cast<Level>(random.uniform_index(3)),
                                       static_cast<Level>(random.uniform_index(3)),
                                       static_cast<Level>(random.uniform_index(2))};
    pairs.add(levels, random.bernoulli(.1 + .2 * (levels[0] + levels[2])), 1 + random.uniform_index(4));
  }
  return pairs;
}

TEST(PairRegression, StartsAsNotRun) {
  EXPECT_FALSE(PairRegressionFit().usable());
  EXPECT_EQ(PairRegressionFit().brief(), "match weights: not run");
}

TEST(PairRegression, GradientMatchesDifferences) {
  const LabelledPatterns pairs = random_pairs(50, 1);
  for (const double l2 : {0.0, 3.0}) {
    const PairRegressionObjective objective(pairs, l2);
    std::vector<double> w(objective.dimension()), gradient(w.size()), unused(w.size());
    Random random(2);
    for (double& x : w) x = random.normal();
    objective.evaluate(w, gradient);
    EXPECT_TRUE(
        gradient_matches([&](const std::vector<double>& x) { return objective.evaluate(x, unused); }, w, gradient));
  }
}

/// Computes it pair by pair, from the definition.
TEST(PairRegression, ObjectiveAndLogLossAreTheirDefinitions) {
  const LabelledPatterns pairs = random_pairs(50, 3);
  const PairRegressionObjective objective(pairs, .7);
  std::vector<double> w(objective.dimension()), gradient(w.size());
  Random random(4);
  for (double& x : w) x = random.normal();
  const MatchWeights weights = objective.weights(w);
  double loss = 0, penalty = 0;
  for (const auto& [patterns, label] : {std::pair(&pairs.matches, 1), std::pair(&pairs.others, -1)})
    for (std::size_t i = 0; i < patterns->size(); ++i)
      loss += patterns->count(i) * std::log(1 + std::exp(-label * weights.score(patterns->levels(i))));
  for (const std::vector<double>& row : weights.weights)
    for (const double x : row) penalty += .7 * x * x;
  EXPECT_NEAR(objective.evaluate(w, gradient), (loss + penalty) / pairs.total(), 1e-12);
  EXPECT_NEAR(log_loss(weights, pairs), loss / pairs.total(), 1e-12);
}

TEST(PairRegression, AgreesWithGradientDescent) {
  const LabelledPatterns pairs = random_pairs(40, 5);
  const PairRegressionObjective objective(pairs, 2);
  std::vector<double> w(objective.dimension()), gradient(w.size());
  for (int i = 0; i < 20000; ++i) {  // the Hessian is below 1/4 (1 + comparisons) + 2 l2 / W < 2
    objective.evaluate(w, gradient);
    for (std::size_t j = 0; j < w.size(); ++j) w[j] -= gradient[j] / 2;
  }
  const MatchWeights expected = objective.weights(w);
  const PairRegressionFit fit = fit_pair_regression(pairs, {.l2 = 2, .tolerance = 1e-10});
  EXPECT_EQ(fit.summary.termination, optimize::Termination::kConverged);
  EXPECT_NEAR(fit.weights.prior_log_odds, expected.prior_log_odds, 1e-7);
  for (std::size_t c = 0; c < expected.weights.size(); ++c)
    for (std::size_t l = 0; l < expected.weights[c].size(); ++l)
      EXPECT_NEAR(fit.weights.weights[c][l], expected.weights[c][l], 1e-7);
}

/// One comparison and no penalty: the score of a level is its log odds among the pairs, and the loss their entropy.
TEST(PairRegression, AgreesWithTheClosedFormForOneComparison) {
  LabelledPatterns pairs({3});
  const double matches[] = {2, 1, 30}, others[] = {5, 80, 3};
  for (Level l = 0; l < 3; ++l) {
    pairs.add(std::vector{l}, true, matches[l]);
    pairs.add(std::vector{l}, false, others[l]);
  }
  const PairRegressionFit fit = fit_pair_regression(pairs, {.l2 = 0, .tolerance = 1e-11});
  double expected_loss = 0;
  for (Level l = 0; l < 3; ++l) {
    EXPECT_NEAR(fit.weights.score(std::vector{l}), std::log(matches[l] / others[l]), 1e-7);
    for (const double part : {matches[l], others[l]})
      expected_loss -= part / 121 * std::log(part / (matches[l] + others[l]));
  }
  EXPECT_NEAR(fit.log_loss, expected_loss, 1e-10);
  EXPECT_DOUBLE_EQ(fit.match_share, 33.0 / 121);
  EXPECT_DOUBLE_EQ(fit.base_loss, -33.0 / 121 * std::log(33.0 / 121) - 88.0 / 121 * std::log(88.0 / 121));
  EXPECT_THAT(fit.brief(), HasSubstr("match weights: converged after"));
}

TEST(PairRegression, LevelsNeverSeenHaveNoWeight) {
  const PairRegressionFit fit = fit_pair_regression(random_pairs(100, 6));
  EXPECT_EQ(fit.weights.weights[0][3], 0);
  EXPECT_NE(fit.weights.weights[0][kMissingLevel], 0) << "a missing value may say something";
  EXPECT_LT(fit.log_loss, fit.base_loss);
}

TEST(PairRegression, SeparableClassesHaveFiniteWeights) {
  LabelledPatterns pairs({3});
  pairs.add(std::vector<Level>{2}, true, 1e6);
  pairs.add(std::vector<Level>{1}, false, 1e6);
  const PairRegressionFit fit = fit_pair_regression(pairs);
  EXPECT_TRUE(fit.usable());
  EXPECT_GT(fit.weights.score(std::vector<Level>{2}), 5);
  EXPECT_TRUE(std::isfinite(fit.log_loss));
}

TEST(PairRegression, NeedsPairsOfBothKinds) {
  LabelledPatterns pairs({3});
  EXPECT_THROW(log_loss(MatchWeights{.weights = {{0, 0, 0}}}, pairs), InternalError);
  EXPECT_THROW(PairRegressionObjective(pairs, 1), InternalError);
  EXPECT_THROW(fit_pair_regression(pairs), InputError);
  pairs.add(std::vector<Level>{1}, false, 8);
  EXPECT_THAT(message_of<InputError>([&] { fit_pair_regression(pairs); }),
              HasSubstr("matches of weight 0 and other pairs of weight 8"));
  pairs.add(std::vector<Level>{2}, true);
  EXPECT_TRUE(fit_pair_regression(pairs).usable());
  EXPECT_THROW(fit_pair_regression(pairs, {.l2 = -1}), UsageError);
  EXPECT_THROW(fit_pair_regression(pairs, {.tolerance = 0}), UsageError);
  EXPECT_THROW(fit_pair_regression(pairs, {.max_iterations = 0}), UsageError);
}

}  // namespace
}  // namespace fovea::linkage
