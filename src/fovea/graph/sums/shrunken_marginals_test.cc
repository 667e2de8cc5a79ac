// SPDX-License-Identifier: Apache-2.0
#include "fovea/graph/sums/shrunken_marginals.h"

#include <gtest/gtest.h>

#include <cmath>

#include "fovea/base/random.h"

namespace fovea::graph {
namespace {

using Marginals = std::vector<std::vector<double>>;

/// Draws of binary variables whose chains mixed, each off by about `error`.
MarginalSampler::Answer draws_of(const Marginals& truth, double error, std::uint64_t seed) {
  Random random(seed);
  MarginalSampler::Answer draws;
  for (const std::vector<double>& p : truth) {
    const double noise = error * random.normal();
    draws.marginals.push_back({p[0] + noise, p[1] - noise});
    draws.trust.push_back({.squared_error = 2 * error * error, .r_hat = 1.001, .effective_samples = 1000});
  }
  return draws;
}

double squared_error(const Marginals& marginals, const Marginals& truth) {
  double sum = 0;
  for (std::size_t v = 0; v < truth.size(); ++v)
    sum += (marginals[v][0] - truth[v][0]) * (marginals[v][0] - truth[v][0]);
  return sum;
}

class ShrunkenMarginalsTest : public ::testing::Test {
 protected:
  static constexpr std::size_t kVariables = 200;

  void SetUp() override {
    Random random(7);
    for (std::size_t v = 0; v < kVariables; ++v) {
      const double p = .2 + .6 * static_cast<double>(random.uniform_index(1000)) / 1000;
      truth_.push_back({p, 1 - p});
    }
  }

  /// Messages that are off by about `error`, each in its own way.
  Marginals messages(double error) const {
    Random random(8);
    Marginals result = truth_;
    for (std::vector<double>& p : result) {
      const double off = error * random.normal();
      p[0] += off;
      p[1] -= off;
    }
    return result;
  }

  Marginals truth_;
};

TEST_F(ShrunkenMarginalsTest, AreBetterThanDrawsAndThanMessages) {
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    const MarginalSampler::Answer draws = draws_of(truth_, .01, seed);
    const Marginals given = messages(.01);
    const auto shrunken = shrink_to_messages(draws, given);
    ASSERT_TRUE(shrunken);
    EXPECT_NEAR(shrunken->weight_of_messages, .5, .1);
    EXPECT_LT(squared_error(shrunken->marginals, truth_), .8 * squared_error(draws.marginals, truth_));
    EXPECT_LT(squared_error(shrunken->marginals, truth_), .8 * squared_error(given, truth_));
  }
}

/// Draws that are off by z > 1 standard errors move by one: the mean of (|z| - 1)^2 over them is .15.
TEST_F(ShrunkenMarginalsTest, AreTheMessagesThatNoiseAloneTellsApart) {
  const auto shrunken = shrink_to_messages(draws_of(truth_, .01, 1), messages(.0001));
  ASSERT_TRUE(shrunken);
  EXPECT_GT(shrunken->weight_of_messages, .85);
  EXPECT_LT(squared_error(shrunken->marginals, truth_),
            .25 * squared_error(draws_of(truth_, .01, 1).marginals, truth_));
}

TEST_F(ShrunkenMarginalsTest, KeepToTheDrawsOfAVariableWhoseMessagesAreFarOff) {
  const MarginalSampler::Answer draws = draws_of(truth_, .01, 1);
  Marginals given = messages(.0001);
  given[5][0] += .1;
  given[5][1] -= .1;
  const auto shrunken = shrink_to_messages(draws, given);
  ASSERT_TRUE(shrunken);
  EXPECT_GT(shrunken->weight_of_messages, .5) << "the others' messages are right";
  EXPECT_NEAR(shrunken->marginals[5][0], draws.marginals[5][0], .01 + 1e-12) << "its standard error";
  EXPECT_NEAR(shrunken->marginals[5][0] + shrunken->marginals[5][1], 1, 1e-12);
}

TEST_F(ShrunkenMarginalsTest, AreTheDrawsWhereMessagesAreFarOff) {
  const auto shrunken = shrink_to_messages(draws_of(truth_, .001, 1), messages(.1));
  ASSERT_TRUE(shrunken);
  EXPECT_LT(shrunken->weight_of_messages, .001);
}

TEST_F(ShrunkenMarginalsTest, NeedChainsThatMixedInNearlyAllVariables) {
  for (const MarginalSampler::Trust bad : {MarginalSampler::Trust{.r_hat = 1.2, .effective_samples = 1000},
                                           MarginalSampler::Trust{.r_hat = 1.001, .effective_samples = 100}}) {
    MarginalSampler::Answer draws = draws_of(truth_, .01, 1);
    draws.trust[0] = draws.trust[1] = bad;
    EXPECT_TRUE(shrink_to_messages(draws, messages(.01)));
    draws.trust[2] = bad;
    EXPECT_FALSE(shrink_to_messages(draws, messages(.01)));
  }
}

TEST_F(ShrunkenMarginalsTest, KeepMessagesOfWhatNeverMovedIfTheyAreSureOfIt) {
  MarginalSampler::Answer draws = draws_of(truth_, .01, 1);
  Marginals given = messages(.01);
  for (std::size_t v = 0; v < 3; ++v) {
    draws.marginals[v] = {0, 1};
    draws.trust[v] = {};
  }
  EXPECT_FALSE(shrink_to_messages(draws, given)) << "messages give the other value a fair chance";
  given[0] = given[1] = given[2] = {.002, .998};
  const auto shrunken = shrink_to_messages(draws, given);
  ASSERT_TRUE(shrunken);
  EXPECT_EQ(shrunken->marginals[1], given[1]);
}

}  // namespace
}  // namespace fovea::graph
