// SPDX-License-Identifier: Apache-2.0
// Hand-written operators against weighted draws from their definitions, in all slots.
#include <gtest/gtest.h>

#include <cmath>

#include "fovea/base/error.h"
#include "fovea/ep/operators/compound_gamma.h"
#include "fovea/ep/operators/gaussian_arithmetic.h"
#include "fovea/ep/operators/logistic.h"
#include "fovea/ep/operators/normal.h"
#include "fovea/ep/operators/observations.h"
#include "fovea/ep/operators/truncation.h"
#include "fovea/ep/oracle/grid_quadrature.h"
#include "fovea/ep/oracle/importance_sampling.h"

namespace fovea::ep {
namespace {

using Values = std::span<const double>;

/// The KL of estimates with n draws is about 1 / n on average: 20 times that is a false failure in 1e8.
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
  expect_same(exact, functions, {Gaussian::from_mean_variance(2, 4), Point{.8}, b});
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

TEST(Operators, MaximaAreExact) {
  const MaxOperator exact;
  const FactorFunctions functions = {.name = "max", .sample = [](Values x, Random&) { return std::max(x[0], x[1]); }};
  const Gaussian a = Gaussian::from_mean_variance(.5, 2), b = Gaussian::from_mean_variance(1, .5);
  expect_same(exact, functions, {Gaussian::from_mean_variance(1.5, 3), a, b});
  expect_same(exact, functions, {Gaussian::from_mean_variance(-1, .4), a, b});
  expect_same(exact, functions, {Gaussian::from_mean_variance(1.5, 3), a, Point{.7}});
  expect_same(exact, functions, {Gaussian::from_mean_variance(1.5, 3), Point{.3}, b});
  // A known child is the limit of a child that is known ever better.
  Random random;
  for (const std::size_t slot : {1U, 2U}) {
    const std::vector<Message> known = {Point{1.2}, a, b}, nearly = {Gaussian::from_mean_variance(1.2, 1e-9), a, b};
    const Tilted one = exact.tilted(slot, known, random), other = exact.tilted(slot, nearly, random);
    EXPECT_LT(divergence(one.marginal, other.marginal), 1e-10);
    EXPECT_NEAR(one.log_mass, other.log_mass, 1e-8);
  }
}

// E max(a, b) = 1 / sqrt(pi) of two standard normals, E max^2 = 1 by symmetry (Clark 1961).
TEST(Operators, MaximaHaveClarksMoments) {
  const Gaussian standard = Gaussian::from_mean_variance(0, 1);
  Random random;
  const std::vector<Message> unseen = {Gaussian(), standard, standard};
  const Gaussian larger = std::get<Gaussian>(MaxOperator().tilted(0, unseen, random).marginal);
  EXPECT_NEAR(larger.mean(), 1 / std::sqrt(M_PI), 1e-14);
  EXPECT_NEAR(larger.variance(), 1 - 1 / M_PI, 1e-14);
  // Observed at 1: each is 1 half the time, and otherwise a standard normal below 1.
  const std::vector<Message> seen = {Point{1}, standard, standard};
  const Tilted a = MaxOperator().tilted(1, seen, random);
  const double density = std::exp(-.5) / std::sqrt(2 * M_PI), below = .8413447460685429;
  EXPECT_NEAR(std::get<Gaussian>(a.marginal).mean(), .5 - .5 * density / below, 1e-12);
  EXPECT_NEAR(a.log_mass, std::log(2 * density * below), 1e-12);
}

TEST(Operators, MaximaOfKnownVariables) {
  Random random;
  const auto marginal = [&](std::size_t slot, const std::vector<Message>& incoming) {
    return MaxOperator().tilted(slot, incoming, random).marginal;
  };
  const Gaussian b = Gaussian::from_mean_variance(0, 1);
  EXPECT_EQ(marginal(0, {Gaussian(), Point{2}, Point{3}}), Message(Point{3}));
  EXPECT_EQ(marginal(2, {Point{3}, Point{2}, b}), Message(Point{3}));  // who is not a is b
  EXPECT_LT(mean_of(marginal(2, {Point{3}, Point{3}, b})), 0);         // a is it: b lies below
  EXPECT_LT(mean_of(marginal(1, {Point{3}, b, Point{3}})), 0);
  EXPECT_THROW(marginal(2, {Point{3}, Point{4}, b}), InputError);
}

TEST(Operators, CountsTellOfTheirRate) {
  const PoissonOperator exact;
  const FactorFunctions functions = {
      .name = "poisson",
      .sample = [](Values x, Random& random) { return static_cast<double>(random.poisson(x[0])); },
      .log_density = [](Values v) { return v[0] * std::log(v[1]) - v[1] - std::lgamma(v[0] + 1); }};
  const Gamma rate = Gamma::from_shape_rate(3, 1.5);
  expect_same(exact, functions, {Poisson::from_mean(.7), rate});
  expect_same(exact, functions, {Poisson(), rate});
  expect_same(exact, functions, {Point{4}, rate});
  expect_same(exact, functions, {Poisson::from_mean(.7), Point{2.5}});
  const FactorFunctions density = {.name = "poisson", .log_density = functions.log_density};
  expect_same(exact, density, {Poisson::from_mean(.7), rate});
  Random random;
  const std::vector<Message> incoming = {Poisson::from_mean(.7), Gamma::from_shape_rate(3, 6)};
  for (const std::size_t slot : {0U, 1U}) {
    const Tilted a = exact.tilted(slot, incoming, random);
    const Tilted b = GridQuadrature(density, 1).tilted(slot, incoming, random);
    EXPECT_LT(divergence(a.marginal, b.marginal), 1e-15);
    EXPECT_NEAR(a.log_mass, b.log_mass, 1e-9);
  }
}

// Gamma(2, 1) and a 3: Gamma(5, 2), negative binomial 4 choose 3 / 2^5. exp(rate (1 / 2 - 1)): Gamma(2, 3 / 2).
TEST(Operators, CountsHaveClosedForms) {
  Random random;
  const std::vector<Message> seen = {Point{3}, Gamma::from_shape_rate(2, 1)};
  const Tilted posterior = PoissonOperator().tilted(1, seen, random);
  EXPECT_EQ(posterior.marginal, Message(Gamma::from_shape_rate(5, 2)));
  EXPECT_NEAR(posterior.log_mass, std::log(4. / 32), 1e-14);
  const std::vector<Message> told = {Poisson::from_mean(.5), Gamma::from_shape_rate(2, 1)};
  EXPECT_EQ(PoissonOperator().tilted(1, told, random).marginal, Message(Gamma::from_shape_rate(2, 1.5)));
  EXPECT_NEAR(mean_of(PoissonOperator().tilted(0, told, random).marginal), .5 * 2 / 1.5, 1e-14);
}

// To the accuracy of grids over all unknown variables.
TEST(Operators, NormalsTellOfTheirPrecision) {
  const NormalOperator exact;
  const FactorFunctions functions = {
      .name = "normal",
      .sample = [](Values x, Random& random) { return x[0] + random.normal() / std::sqrt(x[1]); },
      .log_density =
          [](Values v) { return .5 * (std::log(v[2] / (2 * M_PI)) - v[2] * (v[0] - v[1]) * (v[0] - v[1])); }};
  const Gaussian y = Gaussian::from_mean_variance(2, 1.5), mean = Gaussian::from_mean_variance(-1, .5);
  const Gamma precision = Gamma::from_shape_rate(2.5, 1.5);
  const std::vector<Message> cases[] = {{y, mean, precision},
                                        {Point{3}, mean, precision},
                                        {y, Point{-1}, precision},
                                        {y, mean, Point{.8}},
                                        {Point{3}, mean, Point{.8}},
                                        {Point{3}, Point{0}, precision},
                                        {y, Point{-1}, Gamma::from_shape_rate(.6, .2)}};
  const GridQuadrature grid({.name = "normal", .log_density = functions.log_density}, 2);
  Random random;
  for (const std::vector<Message>& incoming : cases) {
    expect_same(exact, functions, incoming);
    for (std::size_t slot = 0; slot < 3; ++slot) {
      const Tilted a = exact.tilted(slot, incoming, random), b = grid.tilted(slot, incoming, random);
      EXPECT_LT(divergence(a.marginal, b.marginal), 1e-12) << slot;
      EXPECT_NEAR(a.log_mass, b.log_mass, 1e-7) << slot;
    }
  }
}

// With y and the mean known, Gamma(a + 1 / 2, b + gap^2 / 2) and Student's t; with nothing known of y the t's variance.
TEST(Operators, NormalsHaveClosedForms) {
  Random random;
  const std::vector<Message> seen = {Point{3}, Point{1}, Gamma::from_shape_rate(2, 1.5)};
  const Tilted precision = NormalOperator().tilted(2, seen, random);
  EXPECT_EQ(precision.marginal, Message(Gamma::from_shape_rate(2.5, 3.5)));
  const double student = std::tgamma(2.5) / std::tgamma(2) / std::sqrt(2 * M_PI * 1.5) * std::pow(1 + 2 / 1.5, -2.5);
  EXPECT_NEAR(precision.log_mass, std::log(student), 1e-13);
  // The integral meets the closed form if the mean is nearly known.
  const std::vector<Message> nearly = {Point{3}, Gaussian::from_mean_variance(1, 1e-10),
                                       Gamma::from_shape_rate(2, 1.5)};
  EXPECT_LT(divergence(NormalOperator().tilted(2, nearly, random).marginal, precision.marginal), 1e-16);
  EXPECT_NEAR(NormalOperator().tilted(2, nearly, random).log_mass, precision.log_mass, 1e-9);
  const std::vector<Message> unseen = {Gaussian(), Gaussian::from_mean_variance(1, 2), Gamma::from_shape_rate(3, 4)};
  const Gaussian predicted = std::get<Gaussian>(NormalOperator().tilted(0, unseen, random).marginal);
  EXPECT_NEAR(predicted.mean(), 1, 1e-14);
  EXPECT_NEAR(predicted.variance(), 2 + 4 / (3 - 1.), 1e-14);
  for (const double shape : {1., .5}) {  // no variance: noise of (1 + 1 / shape) / E[precision]
    const std::vector<Message> heavy = {Gaussian(), Gaussian::from_mean_variance(1, 50),
                                        Gamma::from_shape_rate(shape, 4)};
    const Tilted stand_in = NormalOperator().tilted(0, heavy, random);
    EXPECT_TRUE(stand_in.is_stand_in && is_proper(stand_in.marginal));
    EXPECT_NEAR(std::get<Gaussian>(stand_in.marginal).variance(), 50 + (1 + 1 / shape) * 4 / shape, 1e-9);
  }
}

TEST(Operators, TakeKnownValuesInAllSlots) {
  Random random;
  const auto tilted = [&](const Operator& op, std::size_t slot, const std::vector<Message>& incoming) {
    return op.tilted(slot, incoming, random);
  };
  const BernoulliOperator bernoulli;
  EXPECT_NEAR(mean_of(tilted(bernoulli, 0, {Bernoulli(), Point{.3}}).marginal), .3, 1e-15);
  EXPECT_NEAR(tilted(bernoulli, 0, {Point{0}, Point{.3}}).log_mass, std::log(.7), 1e-15);
  EXPECT_EQ(tilted(bernoulli, 1, {Bernoulli::from_log_odds(2), Point{.3}}).marginal, Message(Point{.3}));
  const GreaterThanOperator above(1);
  const Bernoulli truth = Bernoulli::from_probability(.8);
  EXPECT_EQ(tilted(above, 0, {truth, Point{2}}).marginal, Message(Point{1}));
  EXPECT_NEAR(tilted(above, 1, {truth, Point{.5}}).log_mass, std::log(.2), 1e-14);
  EXPECT_THROW(tilted(above, 1, {Point{1}, Point{.5}}), InputError);
  const LogisticOperator logistic;
  EXPECT_NEAR(mean_of(tilted(logistic, 0, {Beta::from_counts(2, 1), Point{1.5}}).marginal), 1 / (1 + std::exp(-1.5)),
              1e-15);
  const Tilted x = tilted(logistic, 1, {Point{.8}, Gaussian::from_mean_variance(0, 1)});
  EXPECT_NEAR(mean_of(x.marginal), std::log(4), 1e-14);
  EXPECT_NEAR(x.log_mass, Gaussian::from_mean_variance(0, 1).log_density(std::log(4)) - std::log(.16), 1e-12);
  EXPECT_THROW(tilted(logistic, 1, {Point{.8}, Point{0}}), InputError);
}

}  // namespace
}  // namespace fovea::ep
