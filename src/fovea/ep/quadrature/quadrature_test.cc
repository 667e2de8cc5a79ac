// SPDX-License-Identifier: Apache-2.0
#include "fovea/ep/quadrature/quadrature.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "fovea/base/log_math.h"

namespace fovea::ep {
namespace {

double expected(const GaussHermite& rule, double (*f)(double)) {
  double sum = 0;
  for (std::size_t k = 0; k < rule.nodes.size(); ++k) sum += rule.weights[k] * f(rule.nodes[k]);
  return sum;
}

TEST(GaussHermite, IsExactForPolynomials) {
  for (const std::size_t size : {4U, 9U, 30U}) {
    const GaussHermite rule(size);
    EXPECT_NEAR(expected(rule, [](double) { return 1.; }), 1, 1e-13);
    EXPECT_NEAR(expected(rule, [](double z) { return z; }), 0, 1e-13);
    EXPECT_NEAR(expected(rule, [](double z) { return z * z; }), 1, 1e-12);
    EXPECT_NEAR(expected(rule, [](double z) { return std::pow(z, 6); }), 15, 1e-11);
  }
}

TEST(GaussHermite, ConvergesForSmoothFunctions) {
  EXPECT_NEAR(expected(GaussHermite(40), [](double z) { return std::exp(z); }), std::exp(.5), 1e-13);
  EXPECT_NEAR(expected(GaussHermite(60), [](double z) { return 1 / (1 + std::exp(1 - z)); }), .303265329856008, 1e-9);
}

}  // namespace

namespace {

TEST(Quadrature, HasTheMomentsOfAGaussianWhereverItStarts) {
  const auto log_density = [](double x) { return -.5 * (x - 3) * (x - 3) / .04; };
  for (const double centre : {3., 0., 5.})
    for (const double width : {.1, 1., 2.}) {
      const LineMoments moments = integrate_line(log_density, centre, width);
      ASSERT_TRUE(moments.has_converged);
      EXPECT_NEAR(moments.log_mass, .5 * std::log(2 * std::numbers::pi * .04), 1e-10);
      EXPECT_NEAR(moments.mean, 3, 1e-10);
      EXPECT_NEAR(moments.variance, .04, 1e-10);
      EXPECT_LT(moments.evaluations, 1000U);
    }
}

TEST(Quadrature, FollowsLongTailsAndTwoPeaks) {
  const LineMoments logistic =
      integrate_line([](double x) { return x - 2 * std::max(x, 0.) - 2 * std::log1p(std::exp(-std::abs(x))); }, 0, .5);
  ASSERT_TRUE(logistic.has_converged);
  EXPECT_NEAR(logistic.log_mass, 0, 1e-10);
  EXPECT_NEAR(logistic.variance, std::numbers::pi * std::numbers::pi / 3, 1e-8);
  const auto two_peaks = [](double x) { return std::log(std::exp(-(x - 4) * (x - 4)) + std::exp(-(x + 4) * (x + 4))); };
  const LineMoments both = integrate_line(two_peaks, 4, 1);
  ASSERT_TRUE(both.has_converged);
  EXPECT_NEAR(both.mean, 0, 1e-9);
  EXPECT_NEAR(both.variance, 16.5, 1e-8);
}

TEST(Quadrature, SaysWhereThereIsNoIntegral) {
  EXPECT_FALSE(integrate_line([](double) { return 0.; }, 0, 1).has_converged);
  EXPECT_FALSE(integrate_line([](double x) { return x; }, 0, 1).has_converged);
  EXPECT_FALSE(integrate_line([](double) { return -kInfinity; }, 0, 1).has_converged);
}

}  // namespace

}  // namespace fovea::ep
