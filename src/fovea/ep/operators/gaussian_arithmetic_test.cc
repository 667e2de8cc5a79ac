// SPDX-License-Identifier: Apache-2.0
#include "fovea/ep/operators/gaussian_arithmetic.h"

#include <gtest/gtest.h>

namespace fovea::ep {
namespace {

void expect_gaussian(const Gaussian& message, double mean, double variance) {
  EXPECT_NEAR(message.mean(), mean, 1e-12);
  EXPECT_NEAR(message.variance(), variance, 1e-12);
}

TEST(GaussianArithmetic, AddsMeansAndVariances) {
  const Gaussian x = Gaussian::from_mean_variance(1, 2), y = Gaussian::from_mean_variance(-3, .5);
  expect_gaussian(sum_of(x, y), -2, 2.5);
  expect_gaussian(difference_of(x, y), 4, 2.5);
  expect_gaussian(scaled(x, -3), -3, 18);
  expect_gaussian(unscaled(scaled(x, -3), -3), 1, 2);
  expect_gaussian(blurred(x, 4), 1, 6);
}

TEST(GaussianArithmetic, WhatSaysNothingSaysNothingOn) {
  const Gaussian x = Gaussian::from_mean_variance(1, 2), nothing;
  EXPECT_EQ(sum_of(x, nothing), nothing);
  EXPECT_EQ(difference_of(nothing, x), nothing);
  EXPECT_EQ(unscaled(x, 0), nothing);
  EXPECT_EQ(blurred(nothing, 3), nothing);
}

// Against the joint Gaussian: x_i | z has the precision and mean of its conditional.
TEST(GaussianArithmetic, ATermOfAnInnerProductKnowsTheOthers) {
  const std::vector<double> factors = {2, -1, .5};
  const std::vector<Gaussian> x = {Gaussian::from_mean_variance(1, 2), Gaussian::from_mean_variance(0, 1),
                                   Gaussian::from_mean_variance(-2, 4)};
  const InnerProduct product(factors, x);
  expect_gaussian(product.to_sum(), 1, 10);
  const Gaussian z = Gaussian::from_mean_variance(3, .25);
  // 2 x_0 = z + x_1 - x_2 / 2.
  expect_gaussian(product.to_term(0, z), (3 + 0 + 1) / 2., (.25 + 1 + 1) / 4);
  EXPECT_EQ(product.to_term(1, Gaussian()), Gaussian());
}

}  // namespace
}  // namespace fovea::ep
