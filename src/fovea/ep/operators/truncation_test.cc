// SPDX-License-Identifier: Apache-2.0
#include "fovea/ep/operators/truncation.h"

#include <gtest/gtest.h>

#include "fovea/base/random.h"

namespace fovea::ep {
namespace {

// By the midpoint rule on either side of the threshold, where the density jumps.
TEST(TruncationFactor, HasTheMomentsOfBothSides) {
  Random random(1);
  for (int i = 0; i < 30; ++i) {
    const Gaussian x = Gaussian::from_mean_variance(2 * random.normal(), std::exp(random.normal()));
    const Bernoulli truth = Bernoulli::from_log_odds(2 * random.normal());
    const TruncationFactor factor{.threshold = random.normal()};
    double mass = 0, first = 0, second = 0;
    constexpr double kStep = 2e-4, kEnd = 40;
    for (double t = kStep / 2; t < kEnd; t += kStep)
      for (const bool above : {true, false}) {
        const double place = factor.threshold + (above ? t : -t);
        const double weight = std::exp(x.log_density(place) + truth.log_density(above)) * kStep;
        mass += weight;
        first += weight * place;
        second += weight * place * place;
      }
    const double mean = first / mass;
    const Gaussian marginal = factor.marginal_of_x(x, truth);
    EXPECT_NEAR(factor.log_evidence(x, truth), std::log(mass), 1e-6);
    EXPECT_NEAR(marginal.mean(), mean, 1e-6);
    EXPECT_NEAR(marginal.variance(), second / mass - mean * mean, 1e-5);
  }
}

TEST(TruncationFactor, TellsTheTruthWhichSideXIsOn) {
  const Gaussian x = Gaussian::from_mean_variance(0, 1);
  EXPECT_NEAR(TruncationFactor{.threshold = 0}.message_to_truth(x).probability(), .5, 1e-15);
  EXPECT_NEAR(TruncationFactor{.threshold = -1}.message_to_truth(x).probability(), .8413447460685429, 1e-14);
}

TEST(TruncationFactor, StaysExactFarInTheTail) {
  // x ~ N(0, 1) above 30: mean 30 + 1/30 - 2/30^3 + 10/30^5, variance 1/30^2 - 6/30^4 + 50/30^6 by Mills' ratio.
  const Gaussian tail = TruncationFactor{.threshold = 30}.marginal_of_x(Gaussian::from_mean_variance(0, 1),
                                                                        Bernoulli::from_log_odds(800));
  EXPECT_NEAR(tail.mean(), 30 + 1 / 30. - 2 / std::pow(30, 3) + 10 / std::pow(30, 5), 1e-8);
  EXPECT_NEAR(tail.variance(), 1 / 900. - 6 / std::pow(30, 4) + 50 / std::pow(30, 6), 1e-6);
  EXPECT_NEAR(log_normal_cdf(-30), -454.3212439563432, 1e-9);
  EXPECT_NEAR(log_normal_cdf(-10.0001) - log_normal_cdf(-9.9999), -2.01962e-3, 1e-6);  // where the formula changes
}

}  // namespace
}  // namespace fovea::ep
