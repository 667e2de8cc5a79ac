// SPDX-License-Identifier: Apache-2.0
#include "fovea/ep/oracle/importance_sampling.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <limits>
#include <stdexcept>

#include "fovea/base/error.h"
#include "fovea/ep/operators/compound_gamma.h"
#include "fovea/ep/operators/logistic.h"

namespace fovea::ep {
namespace {

// Both forms agree with quadrature; their expected error is their error on average.
TEST(ImportanceSampling, AgreesWithQuadratureAndKnowsItsError) {
  const std::array<Message, 2> incoming = {Beta::from_counts(2, 1), Gaussian::from_mean_variance(-1, 6)};
  Random random(1);
  const LogisticOperator exact;
  for (const bool adaptive : {false, true})
    for (const std::size_t slot : {0U, 1U}) {
      const Tilted expected = exact.tilted(slot, incoming, random);
      const ImportanceSampling oracle(logistic_sampler(), 1, {.samples = 2000, .adaptive = adaptive});
      double error = 0, told = 0, mass_error = 0;
      constexpr int kRuns = 100;
      for (int run = 0; run < kRuns; ++run) {
        const Tilted estimate = oracle.tilted(slot, incoming, random);
        error += divergence(expected.marginal, estimate.marginal) / kRuns;
        told += estimate.expected_error / kRuns;
        mass_error += (estimate.log_mass - expected.log_mass) / kRuns;
      }
      EXPECT_LT(error, 4 * told) << adaptive << slot;
      EXPECT_GT(error, told / 4) << adaptive << slot;
      EXPECT_LT(error, 5e-3);
      EXPECT_NEAR(mass_error, 0, .02);
    }
}

// If the factor carries little information, the adaptive form's error is small compared with it.
TEST(ImportanceSampling, TellsLittleWithoutMuchNoise) {
  const std::array<Message, 2> incoming = {Beta::from_counts(2, 1), Gaussian::from_mean_variance(.3, 1e-4)};
  Random random(6);
  const Gaussian expected = std::get<Gaussian>(LogisticOperator().tilted(1, incoming, random).marginal);
  const auto precision = [&](const Gaussian& marginal) { return marginal.precision() - 1e4; };
  const auto told = [&](bool adaptive) {
    const ImportanceSampling oracle(logistic_sampler(), 1, {.samples = 20000, .adaptive = adaptive});
    return std::get<Gaussian>(oracle.tilted(1, incoming, random).marginal);
  };
  EXPECT_NEAR(precision(expected), .24, .01);
  EXPECT_NEAR(precision(told(true)), precision(expected), .1 * precision(expected));
  EXPECT_GT(std::abs(precision(told(false)) - precision(expected)), precision(expected));
}

// A message far from where the other's mass is: proposals find it with the same number of draws.
TEST(ImportanceSampling, AdaptsToMessagesThatDisagree) {
  const std::array<Message, 2> incoming = {Beta::from_counts(400, 10), Gaussian::from_mean_variance(0, 4)};
  Random random(2);
  const auto expected_error = [&](bool adaptive) {
    return ImportanceSampling(logistic_sampler(), 1, {.samples = 5000, .adaptive = adaptive})
        .tilted(1, incoming, random)
        .expected_error;
  };
  EXPECT_LT(2 * expected_error(true), expected_error(false));
}

// The incoming message is far from the mass: x ~ N(0, 1), y = 10 observed with noise of variance .25.
TEST(ImportanceSampling, FindsMassThatNoDrawMet) {
  const FactorFunctions noise = {
      .name = "noise", .log_density = [](std::span<const double> v) { return -2 * (v[0] - v[1]) * (v[0] - v[1]); }};
  const ImportanceSampling oracle(noise, 1, {.samples = 5000});
  Random random(7);
  const std::array<Message, 2> incoming = {Point{10}, Gaussian::from_mean_variance(0, 1)};
  const Gaussian marginal = std::get<Gaussian>(oracle.tilted(1, incoming, random).marginal);
  EXPECT_NEAR(marginal.mean(), 8, .05);
  EXPECT_NEAR(marginal.variance(), .2, .02);
}

TEST(ImportanceSampling, TakesADensity) {
  const CompoundGammaFactor factor;
  const ImportanceSampling oracle(
      {.name = "compound gamma", .log_density = [&](std::span<const double> x) { return factor.log_density(x[0]); }}, 0,
      {.samples = 100000});
  Random random(3);
  const std::array<Message, 1> incoming = {Gamma::from_shape_rate(6, 2)};
  const Tilted estimate = oracle.tilted(0, incoming, random);
  const Tilted expected = CompoundGammaOperator(factor).tilted(0, incoming, random);
  EXPECT_LT(divergence(expected.marginal, estimate.marginal), 1e-3);
  EXPECT_NEAR(estimate.log_mass, expected.log_mass, .02);
}

// Gaussian noise: x and y of y ~ N(x, 1), by the sampler from both sides and by the density with y known.
TEST(ImportanceSampling, IsExactForAGaussianInTheLimit) {
  Random random(4);
  const FactorFunctions noise = {
      .name = "noise",
      .sample = [](std::span<const double> x, Random& draw) { return x[0] + draw.normal(); },
      .log_density = [](std::span<const double> v) { return -.5 * (v[0] - v[1]) * (v[0] - v[1]); }};
  const ImportanceSampling oracle(noise, 1, {.samples = 100000});
  const std::array<Message, 2> both = {Gaussian::from_mean_variance(2, 3), Gaussian::from_mean_variance(0, 1)};
  const Gaussian to_x = std::get<Gaussian>(oracle.tilted(1, both, random).marginal);
  EXPECT_NEAR(to_x.mean(), .4, .02);  // precision 1 + 1 / 4
  EXPECT_NEAR(to_x.variance(), .8, .02);
  const std::array<Message, 2> known = {Point{2}, Gaussian::from_mean_variance(0, 1)};
  const Gaussian given = std::get<Gaussian>(oracle.tilted(1, known, random).marginal);
  EXPECT_NEAR(given.mean(), 1, .02);
  EXPECT_NEAR(given.variance(), .5, .02);
  EXPECT_EQ(oracle.tilted(0, known, random).marginal, Message(Point{2}));
}

void expect_refused(const FactorFunctions& factor, const Message& child, const char* words) {
  const ImportanceSampling oracle(factor, 1, {.samples = 200});
  const std::array<Message, 2> incoming = {child, Gaussian::from_mean_variance(0, 1)};
  Random random(5);
  try {
    oracle.tilted(1, incoming, random);
    ADD_FAILURE() << "not refused: " << words;
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find(words), std::string::npos) << error.what();
    EXPECT_NE(std::string(error.what()).find("factor 'bad'"), std::string::npos) << error.what();
  }
}

// A child of which nothing is known is predicted: its marginal is that of the draws.
TEST(ImportanceSampling, PredictsAChild) {
  Random random(8);
  const Message parent = Gaussian::from_mean_variance(1, 2);
  const auto predict = [&](const Message& nothing, auto sample) {
    const std::array<Message, 2> incoming = {nothing, parent};
    return ImportanceSampling({.name = "child", .sample = sample}, 1, {}).tilted(0, incoming, random).marginal;
  };
  const Message sum = predict(Gaussian(), [](std::span<const double> x, Random&) { return x[0] + 100; });
  EXPECT_NEAR(std::get<Gaussian>(sum).mean(), 101, .05);
  EXPECT_NEAR(std::get<Gaussian>(sum).variance(), 2, .1);
  const Message exponential = predict(Gamma(), [](std::span<const double> x, Random&) { return std::exp(x[0]); });
  EXPECT_NEAR(std::get<Gamma>(exponential).mean(), std::exp(2), .5);  // of a log-normal
  const Message label = predict(Bernoulli(), [](std::span<const double> x, Random&) { return x[0] > 1 ? 1. : 0.; });
  EXPECT_NEAR(std::get<Bernoulli>(label).probability(), .5, .02);
}

// A function of many draws gives the messages that the same function of one draw gives.
TEST(ImportanceSampling, TakesFunctionsOfManyDraws) {
  const std::array<Message, 2> incoming = {Gaussian::from_mean_variance(3, 1), Gaussian::from_mean_variance(-1, 2)};
  std::size_t calls = 0;
  const auto same = [&](const FactorFunctions& one, const FactorFunctions& many) {
    for (const std::size_t slot : {0U, 1U}) {
      Random first(7), second(7);
      const Tilted expected = ImportanceSampling(one, 1, {.samples = 3000}).tilted(slot, incoming, first);
      calls = 0;
      const Tilted found = ImportanceSampling(many, 1, {.samples = 3000}).tilted(slot, incoming, second);
      EXPECT_EQ(found.marginal, expected.marginal) << slot;
      EXPECT_EQ(found.log_mass, expected.log_mass) << slot;
      EXPECT_LE(calls, 10U);
    }
  };
  const auto child = [](double x) { return 2 * x + 1; };
  const auto density = [](double y, double x) { return -(y - x) * (y - x); };
  same({.name = "one", .sample = [&](std::span<const double> x, Random&) { return child(x[0]); }},
       {.name = "many", .sample_many = [&](DrawColumns x, Random&, std::span<double> children) {
          ++calls;
          for (std::size_t i = 0; i < children.size(); ++i) children[i] = child(x[0][i]);
        }});
  same({.name = "one", .log_density = [&](std::span<const double> v) { return density(v[0], v[1]); }},
       {.name = "many", .log_density_many = [&](DrawColumns v, std::span<double> results) {
          ++calls;
          for (std::size_t i = 0; i < results.size(); ++i) results[i] = density(v[0][i], v[1][i]);
        }});
}

TEST(ImportanceSampling, RefusesWhatHasNoAnswer) {
  const Message child = Gaussian::from_mean_variance(0, 1);
  const auto sampler = [](auto sample) { return FactorFunctions{.name = "bad", .sample = sample}; };
  expect_refused(sampler([](std::span<const double>, Random&) -> double { throw std::runtime_error("no luck"); }),
                 child, "failed at");
  expect_refused(sampler([](std::span<const double>, Random&) { return std::nan(""); }), child, "returned nan");
  expect_refused({.name = "bad", .sample_many = [](auto, auto&, auto children) { children[5] = std::nan(""); }}, child,
                 "returned nan");
  expect_refused({.name = "bad", .log_density_many = [](auto, auto) { throw std::runtime_error("no luck"); }}, child,
                 "failed: no luck");
  expect_refused(sampler([](std::span<const double> x, Random&) { return x[0]; }), Point{1}, "known exactly");
  expect_refused(
      {.name = "bad", .log_density = [](std::span<const double>) { return -std::numeric_limits<double>::infinity(); }},
      child, "zero mass");
  const ImportanceSampling constant(sampler([](std::span<const double>, Random&) { return 3.; }), 1, {.samples = 200});
  const std::array<Message, 2> incoming = {child, Gaussian::from_mean_variance(0, 1)};
  Random random(5);
  EXPECT_THROW(constant.tilted(0, incoming, random), InputError);  // never moves
  EXPECT_THROW(ImportanceSampling({.name = "bad"}, 1, {}), UsageError);
}

}  // namespace
}  // namespace fovea::ep
