// SPDX-License-Identifier: Apache-2.0
#include "fovea/regress/forest.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace fovea::regress {
namespace {

double squared(const RegressionExample& example, std::span<const double> predicted) {
  double sum = 0;
  for (std::size_t k = 0; k < predicted.size(); ++k)
    sum += (example.target[k] - predicted[k]) * (example.target[k] - predicted[k]);
  return sum;
}

/// y = |x| and a step: two lines that meet at 0.
RegressionExample bent(double x) { return {.tree = {x}, .inputs = {x}, .target = {std::abs(x), x > 0 ? 2 : 0.}}; }

Votes votes_at(const Forest& forest, double x) {
  Votes votes;
  forest.predict(std::vector{x}, std::vector{x}, votes);
  return votes;
}

double worst_error(const Forest& forest) {
  double worst = 0;
  for (double x = -.95; x <= 1; x += .1) {
    const Votes votes = votes_at(forest, x);
    if (votes.count() == 0) return HUGE_VAL;
    for (std::size_t i = 0; i < votes.count(); ++i) worst = std::max(worst, squared(bent(x), votes.predicted(i)));
  }
  return worst;
}

double least_doubt(const Forest& forest, double x) {
  const Votes votes = votes_at(forest, x);
  double least = HUGE_VAL;
  for (std::size_t i = 0; i < votes.count(); ++i) least = std::min(least, votes.doubt(i));
  return least;
}

Forest grown(int examples, std::uint64_t seed = 1) {
  Forest forest({.trees = 4, .degree = 1}, squared, Random(seed));
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
  Forest forest({.trees = 3, .degree = 1}, squared, Random(1));
  Random random(2);
  for (int i = 0; i < 500; ++i) {
    const double x = random.normal();
    forest.add({.tree = {x}, .inputs = {x}, .target = {3 - x + 1e-3 * random.normal()}});
  }
  EXPECT_EQ(forest.leaf_count(), 3U);
}

TEST(Forest, DoubtsWhatIsFarFromWhatWasSeen) {
  Forest forest({.trees = 3, .degree = 1}, squared, Random(1));
  Random random(2);
  for (int i = 0; i < 500; ++i) {
    const double x = random.normal();
    forest.add({.tree = {x}, .inputs = {x}, .target = {3 - x + .1 * random.normal()}});
  }
  EXPECT_NEAR(least_doubt(forest, 0), .01, .004);  // the noise's variance
  EXPECT_GT(least_doubt(forest, 100), 10 * least_doubt(forest, 0));
}

// An input that never varied says nothing about how the target depends on it.
TEST(Forest, KnowsNothingOfValuesOfAnInputThatWasConstant) {
  Forest forest({.trees = 3, .degree = 2}, squared, Random(1));
  const auto example = [](double x, double y) {
    return RegressionExample{.tree = {x, y}, .inputs = {x, y}, .target = {x * y}};
  };
  const auto doubt = [&](double y) {
    Votes votes;
    forest.predict(std::vector{.3, y}, std::vector{.3, y}, votes);
    return votes.doubt(0);
  };
  for (int i = 0; i < 50; ++i) forest.add(example(std::sin(i), 1));
  EXPECT_LT(doubt(1), 1e-6);
  EXPECT_EQ(doubt(2), HUGE_VAL);
  for (int i = 0; i < 200; ++i) forest.add(example(std::sin(i), 1 + i % 3));
  EXPECT_LT(doubt(2), 1e-6);
}

TEST(Forest, DoesNotTakeNoiseThatIsToldForItsOwnFault) {
  const auto doubt = [](double chance) {
    Forest forest({.trees = 4, .degree = 1}, squared, Random(1));
    Random random(2);
    for (int i = 0; i < 400; ++i) {
      const double x = 2. * i / 400 - 1;
      forest.add({.tree = {x}, .inputs = {x}, .target = {x + .1 * random.normal()}, .chance = chance});
    }
    return least_doubt(forest, .2);
  };
  EXPECT_GT(doubt(0), .005);    // of a variance of .01
  EXPECT_LT(doubt(.01), .003);  // an estimated remainder, and leverage
}

TEST(Forest, SplitsOnWhatVaries) {
  Forest forest({.trees = 2, .candidates = 1, .degree = 1}, squared, Random(1));
  for (int i = 0; i < 300; ++i) {
    RegressionExample example = bent((i * 7 % 300) / 150. - 1);
    example.tree.insert(example.tree.end(), 50, 1.);
    forest.add(example);
  }
  EXPECT_GT(forest.leaf_count(), 2U);
}

TEST(Forest, IsTheSameForTheSameExamplesAndSeed) {
  const auto predicted = [](const Forest& forest) {
    const Votes votes = votes_at(forest, .3);
    return std::vector<double>(votes.predicted(1).begin(), votes.predicted(1).end());
  };
  EXPECT_EQ(predicted(grown(300)), predicted(grown(300)));
  EXPECT_NE(predicted(grown(300)), predicted(grown(300, 2)));
}

TEST(Forest, KnowsNothingBeforeTheFirstExample) { EXPECT_EQ(votes_at(grown(0), 1).count(), 0U); }

}  // namespace
}  // namespace fovea::regress
