// SPDX-License-Identifier: Apache-2.0
#include "fovea/ep/quadrature/gauss_hermite.h"

#include <gtest/gtest.h>

#include <cmath>

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
}  // namespace fovea::ep
