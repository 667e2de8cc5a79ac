// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cmath>

#include "fovea/ep/model/model.h"
#include "tests/support/expect_error.h"

namespace fovea::ep {
namespace {

// An expensive function of four unknowns: every oracle finds them, sigma points by few calls of it, recalled or not.
TEST(Oracles, OraclesOfAFunctionAgree) {
  const auto fit = [](const FactorSpec& how) {
    Model model;
    std::vector<Variable> unknown;
    for (int i = 0; i < 4; ++i) unknown.push_back(model.gaussian({.mean = 0, .variance = .25}));
    for (int row = 0; row < 12; ++row) {
      std::vector<Variable> parents = unknown;
      parents.push_back(model.constant(.3 * row));
      FactorSpec spec = how;
      spec.sample = [](std::span<const double> v) {
        return std::exp(v[0] - (1 + .5 * v[1]) * v[4]) + v[2] * std::sin(v[4] + v[3]);
      };
      const double seen = 1.2 * std::exp(-.9 * .3 * row) + .3 * std::sin(.3 * row + .4) + .02 * std::cos(7. * row);
      model.observe(model.factor("curve", spec, parents), Gaussian::from_mean_variance(seen, .01));
    }
    Posterior posterior = model.infer({.max_marginal_kl = 1e-4});
    EXPECT_TRUE(posterior.has_converged) << posterior.brief();
    return posterior;
  };
  const Posterior exact = fit({.oracle = Oracle::kSigmaPoints, .recall = false});
  const Posterior recalled = fit({.oracle = Oracle::kSigmaPoints, .recalling_values = {.always = true}});
  const Posterior draws = fit({.sampling = {.samples = 5000}, .recall = false});
  EXPECT_GT(recalled.recalled.at("curve").recalled, 2 * recalled.recalled.at("curve").oracle_calls());
  EXPECT_THAT(recalled.brief(), HasSubstr("values recalled"));
  for (std::uint32_t i = 0; i < 4; ++i) {
    const Gaussian& expected = exact.as<Gaussian>({i});
    const double deviation = std::sqrt(expected.variance());
    EXPECT_NEAR(recalled.as<Gaussian>({i}).mean(), expected.mean(), .05 * deviation) << i;
    EXPECT_NEAR(recalled.as<Gaussian>({i}).variance() / expected.variance(), 1, .05) << i;
    EXPECT_NEAR(draws.as<Gaussian>({i}).mean(), expected.mean(), .5 * deviation) << i;
  }
}

// Two unknowns of which rows see only sums: messages to each lose that, a message to both keeps it.
TEST(Oracles, MessagesToAVectorKeepWhatIsKnownTogether) {
  const auto child = [](double a, double b, double x) { return a + b + .01 * x * (a - b); };
  Model each, joint;
  const Variable a = each.gaussian({.mean = 0, .variance = 1}), b = each.gaussian({.mean = 0, .variance = 1});
  const Variable both = joint.vector({0, 0}, {1, 0, 0, 1});
  double h0 = 0, h1 = 0, p00 = 1, p01 = 0, p11 = 1;  // exact, by the normal equations
  for (int row = 0; row < 20; ++row) {
    const double x = row - 10., seen = 1 + .1 * std::sin(3. * row), u = 1 + .01 * x, v = 1 - .01 * x;
    const FactorSpec spec = {.sample = child, .oracle = Oracle::kSigmaPoints};
    const Gaussian message = Gaussian::from_mean_variance(seen, .01);
    each.observe(each.factor("sum", spec, {a, b, each.constant(x)}), message);
    joint.observe(joint.factor("sum", spec, {both, joint.constant(x)}), message);
    h0 += 100 * u * seen, h1 += 100 * v * seen;
    p00 += 100 * u * u, p01 += 100 * u * v, p11 += 100 * v * v;
  }
  const double determinant = p00 * p11 - p01 * p01;
  const MultivariateGaussian found = joint.infer().as<MultivariateGaussian>(both);
  EXPECT_NEAR(found.mean()[0], (p11 * h0 - p01 * h1) / determinant, 1e-6);
  EXPECT_NEAR(found.covariance()[0], p11 / determinant, 1e-6);
  EXPECT_NEAR(found.covariance()[1], -p01 / determinant, 1e-6);
  EXPECT_LT(each.infer({.iterations = 1000}).as<Gaussian>(a).variance(), .05 * p11 / determinant);
}

// Where the function hardly bends, sigma points are right, and cheaper than draws.
TEST(Oracles, TheMeasuredOneAgreesWithTheExactOne) {
  const auto fit = [](Oracle oracle) {
    Model model;
    const Variable x = model.gaussian({.mean = 0, .variance = 1});
    const FactorSpec spec = {.sample = [](double v) { return 2 * v + .01 * v * v; }, .oracle = oracle, .recall = false};
    for (int row = 0; row < 10; ++row)
      model.observe(model.factor("bend", spec, {x}), Gaussian::from_mean_variance(1 + .1 * row, .5));
    return model.infer({.max_marginal_kl = 1e-5}).as<Gaussian>(x);
  };
  const Gaussian measured = fit(Oracle::kMeasured), draws = fit(Oracle::kDraws);
  EXPECT_NEAR(measured.mean(), draws.mean(), .1 * std::sqrt(draws.variance()));
  EXPECT_NEAR(measured.variance() / draws.variance(), 1, .1);
}

}  // namespace
}  // namespace fovea::ep
