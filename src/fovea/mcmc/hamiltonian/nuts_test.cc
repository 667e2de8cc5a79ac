// SPDX-License-Identifier: Apache-2.0
#include "fovea/mcmc/hamiltonian/nuts.h"

#include <gtest/gtest.h>

#include <cmath>

#include "fovea/base/error.h"
#include "fovea/mcmc/diagnostics.h"

namespace fovea::mcmc {
namespace {

/// Four chains, [parameter][chain][draw].
std::vector<std::vector<std::vector<double>>> chains_of(const LogDensity& density, std::size_t parameters,
                                                        const NutsOptions& options = {}) {
  std::vector<std::vector<std::vector<double>>> chains(parameters, std::vector<std::vector<double>>(4));
  Random random(3);
  for (int c = 0; c < 4; ++c) {
    std::vector<double> start(parameters);
    for (double& x : start) x = 2 * random.normal();
    const NutsChain chain = run_nuts(density, start, options, random.child("chain", c));
    EXPECT_TRUE(chain.is_whole);
    for (std::size_t i = 0; i < chain.size(); ++i)
      for (std::size_t p = 0; p < parameters; ++p) chains[p][c].push_back(chain.draw(i)[p]);
  }
  return chains;
}

double mean_of(const std::vector<std::vector<double>>& chains, double power, double centre = 0) {
  double sum = 0, count = 0;
  for (const auto& chain : chains)
    for (const double x : chain) {
      sum += std::pow(x - centre, power);
      ++count;
    }
  return sum / count;
}

// A Gaussian of correlated variables with scales 1, 10 and .1: moments within five standard errors.
TEST(Nuts, DrawsFromACorrelatedGaussian) {
  const auto density = [](std::span<const double> x, std::span<double> gradient) {
    const double a = x[0] - 3, b = x[1] / 10 - .8 * a, c = x[2] / .1;
    gradient[0] = -a + .8 * b / .36;
    gradient[1] = -b / .36 / 10;
    gradient[2] = -c / .1;
    return -.5 * (a * a + b * b / .36 + c * c);
  };
  const auto chains = chains_of(density, 3);
  for (const auto& of_parameter : chains) EXPECT_LT(rank_normalised_r_hat(of_parameter), 1.01);
  EXPECT_NEAR(mean_of(chains[0], 1), 3, 5 * standard_error_of_mean(chains[0]));
  EXPECT_NEAR(mean_of(chains[1], 1), 0, 5 * standard_error_of_mean(chains[1]));
  EXPECT_NEAR(mean_of(chains[0], 2, 3), 1, .12);
  EXPECT_NEAR(mean_of(chains[1], 2), 100, 12);
  EXPECT_NEAR(mean_of(chains[2], 2), .01, .0012);
}

// Heavy-tailed and skewed: log of a Gamma(2, 1), and a Student's t of five degrees of freedom.
TEST(Nuts, DrawsFromSkewedAndHeavyTails) {
  const auto density = [](std::span<const double> x, std::span<double> gradient) {
    gradient[0] = 2 - std::exp(x[0]);
    gradient[1] = -6 * x[1] / (5 + x[1] * x[1]);
    return 2 * x[0] - std::exp(x[0]) - 3 * std::log1p(x[1] * x[1] / 5);
  };
  const auto chains = chains_of(density, 2, {.draws = 3000});
  EXPECT_NEAR(mean_of(chains[0], 1), 1 - .5772156649, .03);  // digamma(2)
  EXPECT_NEAR(mean_of(chains[0], 2, 1 - .5772156649), .6449340668, .05);
  EXPECT_NEAR(mean_of(chains[1], 2), 5. / 3, .15);
}

TEST(Nuts, SaysWhereTrajectoriesDiverge) {
  const auto funnel = [](std::span<const double> x, std::span<double> gradient) {
    const double precision = std::exp(-x[0]);
    gradient[0] = -x[0] / 9 - .5 * 9;
    double sum = -x[0] * x[0] / 18 - .5 * 9 * x[0];
    for (std::size_t i = 1; i < x.size(); ++i) {
      sum -= .5 * x[i] * x[i] * precision;
      gradient[0] += .5 * x[i] * x[i] * precision;
      gradient[i] = -x[i] * precision;
    }
    return sum;
  };
  const NutsChain chain = run_nuts(funnel, std::vector<double>(10, .1), {}, Random(1));
  EXPECT_GT(chain.divergences, 0U);
}

TEST(Nuts, RefusesAStartWithoutDensity) {
  const auto nothing = [](std::span<const double>, std::span<double>) { return -INFINITY; };
  EXPECT_THROW(run_nuts(nothing, std::vector<double>{1.}, {}, Random(1)), UsageError);
}

TEST(Nuts, KeepsWhatItHasWhenItIsStopped) {
  CancelToken cancel;
  int left = 3000;
  const auto density = [&](std::span<const double> x, std::span<double> gradient) {
    if (--left == 0) cancel.cancel();
    gradient[0] = -x[0];
    return -.5 * x[0] * x[0];
  };
  const NutsChain chain = run_nuts(density, std::vector<double>{1.}, {.warm_up = 100, .draws = 100'000}, Random(1),
                                   {.stop = {.cancel = &cancel}});
  EXPECT_FALSE(chain.is_whole);
  EXPECT_GT(chain.size(), 0U);
  EXPECT_LT(chain.size(), 10'000U);
}

}  // namespace
}  // namespace fovea::mcmc
