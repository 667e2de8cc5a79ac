// SPDX-License-Identifier: Apache-2.0
#include "fovea/regress/forest.h"

#include <gtest/gtest.h>

#include <cmath>

namespace fovea {
namespace {

double squared(std::span<const double> target, std::span<const double> predicted) {
  double sum = 0;
  for (std::size_t k = 0; k < target.size(); ++k) sum += (target[k] - predicted[k]) * (target[k] - predicted[k]);
  return sum;
}

/// y = |x| and a bend elsewhere: linear on either side of 0.
ForestExample bent(double x) { return {.tree = {x}, .features = {1, x}, .target = {std::abs(x), x > 0 ? 2 : 0.}}; }

double worst_error(const Forest& forest) {
  double worst = 0;
  for (double x = -.95; x <= 1; x += .1) {
    const ForestExample expected = bent(x);
    for (std::size_t tree = 0; tree < forest.tree_count(); ++tree) {
      std::vector<double> predicted(2);
      Forest::Vote vote = {.predicted = predicted};
      if (!forest.predict(tree, expected.tree, expected.features, vote)) return HUGE_VAL;
      worst = std::max(worst, squared(expected.target, predicted));
    }
  }
  return worst;
}

Forest grown(int examples, std::uint64_t seed = 1) {
  Forest forest({.trees = 4}, squared, Random(seed));
  Random random(5);
  for (int i = 0; i < examples; ++i) forest.add(bent(random.uniform_index(2001) / 1000. - 1));
  return forest;
}

TEST(Forest, SplitsWhereTheRelationBends) {
  EXPECT_EQ(grown(5).leaf_count(), 4U);
  const Forest forest = grown(2000);
  EXPECT_GT(forest.leaf_count(), 4U);
  EXPECT_LT(forest.leaf_count(), 80U);
  EXPECT_LT(worst_error(forest), 5e-3);
}

TEST(Forest, OneRegressionIsEnoughForALine) {
  Forest forest({.trees = 3}, squared, Random(1));
  Random random(2);
  for (int i = 0; i < 500; ++i) {
    const double x = random.normal();
    forest.add({.tree = {x}, .features = {1, x}, .target = {3 - x + 1e-3 * random.normal()}});
  }
  EXPECT_EQ(forest.leaf_count(), 3U);
}

TEST(Forest, LeverageTellsWhatIsFarFromWhatWasSeen) {
  const Forest forest = grown(500);
  std::vector<double> predicted(2);
  Forest::Vote near = {.predicted = predicted}, far = {.predicted = predicted};
  ASSERT_TRUE(forest.predict(0, std::vector{.5}, std::vector{1., .5}, near));
  ASSERT_TRUE(forest.predict(0, std::vector{50.}, std::vector{1., 50.}, far));
  EXPECT_GT(far.leverage, 1000 * near.leverage);
}

TEST(Forest, IsTheSameForTheSameExamplesAndSeed) {
  const auto predicted = [](const Forest& forest) {
    std::vector<double> values(2);
    Forest::Vote vote = {.predicted = values};
    EXPECT_TRUE(forest.predict(1, std::vector{.3}, std::vector{1., .3}, vote));
    return values;
  };
  EXPECT_EQ(predicted(grown(300)), predicted(grown(300)));
  EXPECT_NE(predicted(grown(300)), predicted(grown(300, 2)));
}

TEST(Forest, KnowsNothingBeforeTheFirstExample) {
  const Forest forest({}, squared, Random(1));
  std::vector<double> predicted(1);
  Forest::Vote vote = {.predicted = predicted};
  EXPECT_FALSE(forest.predict(0, std::vector{1.}, std::vector{1.}, vote));
}

}  // namespace
}  // namespace fovea
