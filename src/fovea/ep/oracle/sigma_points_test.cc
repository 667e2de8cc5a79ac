// SPDX-License-Identifier: Apache-2.0
#include "fovea/ep/oracle/sigma_points.h"

#include <gtest/gtest.h>

#include <cmath>

#include "fovea/base/error.h"
#include "fovea/ep/operators/gaussian_arithmetic.h"
#include "fovea/ep/oracle/grid_quadrature.h"
#include "tests/support/expect_error.h"

namespace fovea::ep {
namespace {

using Values = std::span<const double>;

FactorFunctions function_of(double (*child)(Values)) {
  return {.name = "f", .sample = [child](Values v, Random&) { return child(v); }};
}

Gaussian gaussian_of(const Tilted& tilted) { return std::get<Gaussian>(tilted.marginal); }

TEST(SigmaPoints, AreExactForLines) {
  const LinearOperator exact({2, -1, .5}, .5, 0);
  const SigmaPoints oracle(function_of([](Values v) { return .5 + 2 * v[0] - v[1] + .5 * v[2]; }), 3);
  const std::vector<Message> incoming = {Gaussian::from_mean_variance(2, 4), Gaussian::from_mean_variance(1, 2),
                                         Gaussian::from_mean_variance(-.5, 1), Point{3}};
  Random random;
  for (std::size_t slot = 0; slot < 4; ++slot) {
    const Tilted a = exact.tilted(slot, incoming, random), b = oracle.tilted(slot, incoming, random);
    EXPECT_NEAR(a.log_mass, b.log_mass, 1e-9) << slot;
    if (slot < 3) EXPECT_LT(divergence(a.marginal, b.marginal), 1e-12) << slot;
    else EXPECT_EQ(b.marginal, incoming[3]);
  }
}

// A function that bends, seen through noise: close to quadrature, though the line under the prior would be far off.
TEST(SigmaPoints, FollowABendToWhereTheParentIs) {
  const SigmaPoints oracle(function_of([](Values v) { return std::exp(v[0]); }), 1);
  const SigmaPoints once(function_of([](Values v) { return std::exp(v[0]); }), 1, {.iterations = 1});
  const FactorFunctions density = {.name = "exp", .log_density = [](Values v) {
                                     const double gap = (v[0] - std::exp(v[1])) / .1;
                                     return -.5 * gap * gap - std::log(.1 * std::sqrt(2 * M_PI));
                                   }};
  Random random;
  const Gaussian prior = Gaussian::from_mean_variance(0, 1), seen = Gaussian::from_mean_variance(4, .01);
  const Tilted exact = GridQuadrature(density, 1).tilted(1, std::vector<Message>{Point{4}, prior}, random);
  const std::vector<Message> incoming = {seen, prior};
  const Gaussian expected = gaussian_of(exact), found = gaussian_of(oracle.tilted(1, incoming, random));
  EXPECT_NEAR(found.mean(), expected.mean(), .05 * std::sqrt(expected.variance()));
  EXPECT_NEAR(found.variance() / expected.variance(), 1, .02);
  EXPECT_NEAR(oracle.tilted(1, incoming, random).log_mass, exact.log_mass, .02);
  const Gaussian coarse = gaussian_of(once.tilted(1, incoming, random));
  EXPECT_GT(std::abs(coarse.mean() - expected.mean()), std::sqrt(expected.variance()));
}

// E[x^2] = 2 and Var[x^2] = 6 for x ~ N(1, 1): three points match six moments of x.
TEST(SigmaPoints, PredictAChildOfWhichNothingElseIsKnown) {
  const SigmaPoints oracle(function_of([](Values v) { return v[0] * v[0]; }), 1);
  Random random;
  const std::vector<Message> incoming = {Gaussian(), Gaussian::from_mean_variance(1, 1)};
  const Gaussian child = gaussian_of(oracle.tilted(0, incoming, random));
  EXPECT_NEAR(child.mean(), 2, 1e-9);
  EXPECT_NEAR(child.variance(), 6, 1e-9);
}

TEST(SigmaPoints, AskFewTimes) {
  int calls = 0;
  const SigmaPoints oracle(
      {.name = "f", .sample = [&](Values v, Random&) { return ++calls, std::sin(v[0]) * v[1] + v[2] * v[3]; }}, 4);
  std::vector<Message> incoming = {Gaussian::from_mean_variance(.5, .1)};
  for (int i = 0; i < 4; ++i) incoming.emplace_back(Gaussian::from_mean_variance(.3 * i, .05));
  Random random;
  oracle.tilted(1, incoming, random);
  EXPECT_LE(calls, 2 + 9 * 6);
}

TEST(SigmaPoints, SayWhatTheyCannotDo) {
  Random random;
  const Gaussian x = Gaussian::from_mean_variance(0, 1);
  const auto says = [&](const FactorFunctions& factor, const std::vector<Message>& incoming) {
    return message_of<InputError>([&] { SigmaPoints(factor, incoming.size() - 1).tilted(1, incoming, random); });
  };
  const FactorFunctions same = function_of([](Values v) { return v[0]; });
  EXPECT_THAT(says(same, {Point{2}, x}), HasSubstr("known exactly"));
  EXPECT_THAT(says(same, {x, Gamma::from_shape_rate(2, 1)}), HasSubstr("slot 1 is a gamma variable"));
  EXPECT_THAT(says(same, {Beta::from_counts(2, 1), x}), HasSubstr("it is a beta variable"));
  EXPECT_THAT(says(same, {x, Point{1}}), HasSubstr("no unknown parent"));
  EXPECT_THAT(says(function_of([](Values) -> double { return NAN; }), {x, x}), HasSubstr("returned nan at 0"));
  const FactorFunctions chance = {.name = "f", .sample = [](Values v, Random& r) { return v[0] + r.normal(); }};
  EXPECT_THAT(says(chance, {x, x}), HasSubstr("a function without chance"));
  const FactorFunctions thrower = {.name = "f",
                                   .sample = [](Values, Random&) -> double { throw std::runtime_error("no"); }};
  EXPECT_THAT(says(thrower, {x, x}), HasSubstr("its function failed: no"));
  EXPECT_THROW(SigmaPoints({.name = "f"}, 1), UsageError);
}

}  // namespace
}  // namespace fovea::ep
