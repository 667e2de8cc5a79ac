// SPDX-License-Identifier: Apache-2.0
#include "fovea/mcmc/pareto_smoothing.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "fovea/base/log_math.h"
#include "fovea/base/random.h"

namespace fovea::mcmc {
namespace {

/// Log weights of a normal distribution of this standard deviation, for draws of the standard one.
std::vector<double> weights_of(double sd, Random random) {
  std::vector<double> weights(4000);
  for (double& weight : weights) {
    const double x = random.normal();
    weight = .5 * x * x - .5 * x * x / (sd * sd) - std::log(sd);
  }
  return weights;
}

TEST(ParetoSmoothing, FindsTheShapeOfTheTail) {
  // exp(E / a) of exponential E has the shape 1 / a.
  for (const double shape : {.2, .5, .9, 1.3}) {
    double mean = 0;
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
      Random random(seed);
      std::vector<double> weights(4000);
      for (double& weight : weights) weight = shape * random.exponential();
      mean += smooth_tail(weights) / 20;
    }
    EXPECT_NEAR(mean, shape, .07);
  }
}

TEST(ParetoSmoothing, TellsWeightsThatCanBeTrusted) {
  // A normal distribution of sd s has weights of the shape 1 - 1 / s^2.
  std::vector<double> good = weights_of(1.2, Random(1)), bad = weights_of(3, Random(1));
  EXPECT_LT(smooth_tail(good), .5);
  EXPECT_GT(smooth_tail(bad), kLargestTrustedShape);
  EXPECT_NEAR(log_sum(good) - std::log(4000), 0, .03);
}

TEST(ParetoSmoothing, ChangesNoMoreThanTheTail) {
  const std::vector<double> before = weights_of(1.3, Random(2));
  std::vector<double> after = before;
  smooth_tail(after);
  std::size_t changed = 0;
  for (std::size_t i = 0; i < before.size(); ++i) changed += before[i] != after[i];
  EXPECT_LE(changed, 190U);
  EXPECT_GT(changed, 100U);
}

TEST(ParetoSmoothing, CannotTellOfEqualWeights) {
  std::vector<double> equal(100, -3.);
  EXPECT_EQ(smooth_tail(equal), kInfinity);
  EXPECT_EQ(equal, std::vector<double>(100, -3.));
  std::vector<double> one(100, -kInfinity);
  one[3] = 0;
  EXPECT_EQ(smooth_tail(one), kInfinity);
}

}  // namespace
}  // namespace fovea::mcmc
