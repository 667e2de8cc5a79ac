// SPDX-License-Identifier: Apache-2.0
#include "fovea/ep/oracle/grid_quadrature.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "fovea/base/error.h"
#include "fovea/ep/operators/compound_gamma.h"
#include "fovea/ep/operators/gaussian_arithmetic.h"
#include "fovea/ep/operators/observations.h"

namespace fovea::ep {
namespace {

using Values = std::span<const double>;

void expect_exact(const Operator& exact, const FactorFunctions& factor, const std::vector<Message>& incoming) {
  const GridQuadrature grid(factor, incoming.size() - 1);
  Random random;
  for (std::size_t slot = 0; slot < incoming.size(); ++slot) {
    const Tilted a = exact.tilted(slot, incoming, random), b = grid.tilted(slot, incoming, random);
    EXPECT_LT(divergence(a.marginal, b.marginal), 1e-12) << exact.name() << " slot " << slot;
    EXPECT_NEAR(a.log_mass, b.log_mass, 1e-8) << exact.name() << " slot " << slot;
  }
}

TEST(GridQuadrature, IsExactForGaussiansInThreeDimensions) {
  const auto log_density = [](Values v) {
    const double gap = v[0] - .5 - 2 * v[1] + v[2];
    return -.5 * (gap * gap / 2 + std::log(2 * M_PI * 2));
  };
  const std::vector<Message> incoming = {Gaussian::from_mean_variance(2, 4), Gaussian::from_mean_variance(1, 2),
                                         Gaussian::from_mean_variance(-.5, 1)};
  expect_exact(LinearOperator({2, -1}, .5, 2), {.name = "linear", .log_density = log_density}, incoming);
  expect_exact(LinearOperator({2, -1}, .5, 2), {.name = "linear", .log_density = log_density},
               {Point{3}, incoming[1], incoming[2]});
}

TEST(GridQuadrature, IsExactForGammasAndLabels) {
  const FactorFunctions gamma = {.name = "gamma", .log_density = [](Values v) {
                                   return 1.5 * std::log(v[0]) + 2.5 * std::log(v[1]) - v[0] * v[1] - std::lgamma(2.5);
                                 }};
  expect_exact(GammaRateOperator(2.5), gamma, {Gamma::from_shape_rate(4, 3), Gamma::from_shape_rate(3, 2)});
  const FactorFunctions label = {.name = "label",
                                 .log_density = [](Values v) { return std::log(v[0] != 0 ? v[1] : 1 - v[1]); }};
  expect_exact(BernoulliOperator(), label, {Bernoulli::from_probability(.7), Beta::from_counts(2, 3)});
  expect_exact(BernoulliOperator(), label, {Point{0}, Beta::from_counts(.4, .7)});
}

TEST(GridQuadrature, TakesDensitiesOfManyPoints) {
  const std::vector<Message> incoming = {Gaussian::from_mean_variance(2, 4), Gaussian::from_mean_variance(1, 2)};
  const auto density = [](double y, double x) { return -std::abs(y - x); };
  const GridQuadrature one({.name = "one", .log_density = [&](Values v) { return density(v[0], v[1]); }}, 1);
  std::size_t points = 0, calls = 0;
  const GridQuadrature many({.name = "many",
                             .log_density_many =
                                 [&](DrawColumns v, std::span<double> results) {
                                   ++calls;
                                   points += results.size();
                                   for (std::size_t i = 0; i < results.size(); ++i)
                                     results[i] = density(v[0][i], v[1][i]);
                                 }},
                            1);
  Random random;
  const Tilted expected = one.tilted(1, incoming, random), found = many.tilted(1, incoming, random);
  EXPECT_EQ(found.marginal, expected.marginal);
  EXPECT_EQ(found.log_mass, expected.log_mass);
  EXPECT_GT(points, 1000 * calls);
}

TEST(GridQuadrature, RefusesWhatHasNoAnswer) {
  const std::vector<Message> incoming = {Gaussian::from_mean_variance(0, 1)};
  Random random;
  const auto with = [&](double value) {
    return GridQuadrature({.name = "bad", .log_density = [=](Values) { return value; }}, 0).tilted(0, incoming, random);
  };
  EXPECT_THROW(with(-std::numeric_limits<double>::infinity()), InputError);
  EXPECT_THROW(with(std::nan("")), InputError);
  EXPECT_NO_THROW(with(1));
  EXPECT_THROW(GridQuadrature({.name = "bad", .sample = [](Values, Random&) { return 0.; }}, 0), UsageError);
  const std::vector<Message> four(4, Gaussian::from_mean_variance(0, 1));
  const GridQuadrature wide({.name = "wide", .log_density = [](Values) { return 0.; }}, 3);
  EXPECT_THROW(wide.tilted(0, four, random), InputError);
}

}  // namespace
}  // namespace fovea::ep
