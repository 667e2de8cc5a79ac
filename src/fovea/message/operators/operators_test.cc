// SPDX-License-Identifier: Apache-2.0
// Hand-written operators against weighted draws from what they mean, in all slots.
#include <gtest/gtest.h>

#include <cmath>

#include "fovea/message/operators/bernoulli_label.h"
#include "fovea/message/operators/compound_gamma.h"
#include "fovea/message/operators/gaussian_arithmetic.h"
#include "fovea/message/operators/truncation.h"
#include "fovea/message/oracle/importance_sampling.h"

namespace fovea::message {
namespace {

using Values = std::span<const double>;

/// The KL of estimates with n draws is about 1 / n in the mean: 20 times that is a false failure in 1e8.
void expect_same(const Operator& exact, const FactorFunctions& functions, const std::vector<Message>& incoming) {
  constexpr int kSamples = 200'000;
  const ImportanceSampling estimate(functions, incoming.size() - 1, {.samples = kSamples});
  Random random(1);
  for (std::size_t slot = 0; slot < incoming.size(); ++slot) {
    const Tilted a = exact.tilted(slot, incoming, random), b = estimate.tilted(slot, incoming, random);
    EXPECT_LT(divergence(a.marginal, b.marginal), 20 * std::max(b.expected_error, 1. / kSamples))
        << exact.name() << " slot " << slot;
    EXPECT_NEAR(a.log_mass, b.log_mass, .02) << exact.name() << " slot " << slot;
  }
}

TEST(Operators, LinearSumsAreExact) {
  const LinearOperator exact({2, -1}, .5, .3);
  const FactorFunctions functions = {
      .name = "linear",
      .sample = [](Values x, Random& random) { return .5 + 2 * x[0] - x[1] + std::sqrt(.3) * random.normal(); },
      .log_density =
          [](Values v) {
            const double gap = v[0] - .5 - 2 * v[1] + v[2];
            return -.5 * (gap * gap / .3 + std::log(2 * M_PI * .3));
          }};
  const Gaussian a = Gaussian::from_mean_variance(1, 2), b = Gaussian::from_mean_variance(-.5, 1);
  expect_same(exact, functions, {Gaussian::from_mean_variance(2, 4), a, b});
  expect_same(exact, functions, {Point{3}, a, b});
}

TEST(Operators, GreaterThanIsExact) {
  const GreaterThanOperator exact(.2);
  const FactorFunctions functions = {.name = "above", .sample = [](Values x, Random&) { return x[0] > .2 ? 1. : 0.; }};
  expect_same(exact, functions, {Bernoulli::from_probability(.8), Gaussian::from_mean_variance(-.3, 2)});
  Random random;
  const std::vector<Message> known = {Point{1}, Gaussian::from_mean_variance(-.3, 2)};
  const std::vector<Message> nearly = {Bernoulli::from_log_odds(30), Gaussian::from_mean_variance(-.3, 2)};
  EXPECT_LT(divergence(exact.tilted(1, known, random).marginal, exact.tilted(1, nearly, random).marginal), 1e-10);
}

TEST(Operators, LabelsTellOfTheirProbability) {
  const BernoulliOperator exact;
  const FactorFunctions functions = {
      .name = "label",
      .sample = [](Values p, Random& random) { return random.bernoulli(p[0]) ? 1. : 0.; },
      .log_density = [](Values v) { return std::log(v[0] != 0 ? v[1] : 1 - v[1]); }};
  expect_same(exact, functions, {Bernoulli::from_probability(.7), Beta::from_counts(2, 3)});
  expect_same(exact, functions, {Point{0}, Beta::from_counts(2, 3)});
}

TEST(Operators, GammasTellOfTheirRate) {
  const GammaRateOperator exact(2.5);
  const FactorFunctions functions = {.name = "gamma", .log_density = [](Values v) {
                                       return 1.5 * std::log(v[0]) + 2.5 * std::log(v[1]) - v[0] * v[1] -
                                              std::lgamma(2.5);
                                     }};
  const Gamma x = Gamma::from_shape_rate(4, 3), rate = Gamma::from_shape_rate(3, 2);
  expect_same(exact, functions, {x, rate});
  expect_same(exact, functions, {Point{1.3}, rate});
  expect_same(exact, functions, {x, Point{1.7}});
}

}  // namespace
}  // namespace fovea::message
