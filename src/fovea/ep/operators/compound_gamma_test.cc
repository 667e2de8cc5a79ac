// SPDX-License-Identifier: Apache-2.0
#include "fovea/ep/operators/compound_gamma.h"

#include <gtest/gtest.h>

namespace fovea::ep {
namespace {

// x^5 exp(-2 x) / (1 + x)^2, integrated in high precision.
TEST(CompoundGammaFactor, HasTheReferencePosterior) {
  const Gamma incoming = Gamma::from_shape_rate(6, 2);
  const Gamma marginal = CompoundGammaFactor{}.marginal_of_x(incoming, GammaProjection::kMeanVariance);
  EXPECT_NEAR(marginal.mean(), 2.3290364468822, 1e-8);
  EXPECT_NEAR(marginal.variance(), 1.0691438994175, 1e-8);
  const Gamma by_logarithm = CompoundGammaFactor{}.marginal_of_x(incoming, GammaProjection::kMeanLogarithm);
  EXPECT_NEAR(by_logarithm.mean(), 2.3290364468822, 1e-8);
  EXPECT_NEAR(by_logarithm.variance(), marginal.variance(), .1);
}

// Without the factor's tail, as its rate becomes certain, the marginal is the product with Gamma(shape, rate).
TEST(CompoundGammaFactor, BecomesAGammaAsTheRateBecomesCertain) {
  const CompoundGammaFactor certain = {.shape = 2, .rate_shape = 3e7, .rate_rate = 1e7};  // rate 3
  const Gamma marginal = certain.marginal_of_x(Gamma::from_shape_rate(4, 2));
  const Gamma expected = Gamma::from_shape_rate(4, 2) * Gamma::from_shape_rate(2, 3);
  EXPECT_NEAR(marginal.shape(), expected.shape(), 1e-5);
  EXPECT_NEAR(marginal.rate(), expected.rate(), 1e-5);
}

TEST(CompoundGammaFactor, HasANormalisedDensity) {
  const CompoundGammaFactor factor = {.shape = 1.5, .rate_shape = 2.5, .rate_rate = .7};
  double mass = 0;
  for (double t = -40; t < 40; t += 1e-3) mass += std::exp(factor.log_density(std::exp(t)) + t) * 1e-3;
  EXPECT_NEAR(mass, 1, 1e-9);
}

}  // namespace
}  // namespace fovea::ep
