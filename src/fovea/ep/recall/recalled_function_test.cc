// SPDX-License-Identifier: Apache-2.0
#include "fovea/ep/recall/recalled_function.h"

#include <gtest/gtest.h>

#include <Eigen/Core>
#include <cmath>

#include "fovea/base/error.h"
#include "fovea/ep/recall/local_kriging.h"

namespace fovea::ep {
namespace {

using Values = std::span<const double>;
using Columns = std::vector<std::vector<double>>;

double smooth(Values v) { return std::exp(.3 * v[0]) * std::sin(v[1]) + v[2]; }

/// Points around a centre, as wide as `width`; the last parent is known.
Columns points_around(double x, double y, double width, double known, Random& random) {
  Columns columns(3);
  for (int k = 0; k < 9; ++k) {
    columns[0].push_back(x + width * random.normal());
    columns[1].push_back(y + width * random.normal());
    columns[2].push_back(known);
  }
  return columns;
}

TEST(LocalKriging, InterpolatesSmoothFunctions) {
  Random random(1);
  std::vector<std::vector<double>> points;
  std::vector<double> values;
  for (int i = 0; i < 60; ++i) {
    points.push_back({random.normal(), random.normal()});
    values.push_back(smooth(std::vector{points.back()[0], points.back()[1], 0.}));
  }
  Eigen::MatrixXd asked(2, 20);
  for (int k = 0; k < 20; ++k) asked.col(k) << .7 * random.normal(), .7 * random.normal();
  LocalKriging kriging(asked);
  EXPECT_GT(kriging.fit(points, values, 0), 0);
  const std::vector<LocalKriging::Value> guesses = kriging.predict();
  double squares = 0;
  for (int k = 0; k < 20; ++k) {
    const LocalKriging::Value& guess = guesses[static_cast<std::size_t>(k)];
    const double error = guess.mean - smooth(std::vector{asked(0, k), asked(1, k), 0.});
    EXPECT_LT(std::abs(error), .01) << k;
    squares += error * error / (guess.deviation * guess.deviation) / 20;
  }
  EXPECT_LT(squares, 4);    // errors are not larger than expected,
  EXPECT_GT(squares, .01);  // nor far smaller
}

TEST(LocalKriging, KnowsNothingFromFewValues) {
  LocalKriging kriging(Eigen::MatrixXd::Random(2, 5));
  const std::vector<std::vector<double>> points = {{0, 0}, {1, 0}, {0, 1}};
  kriging.fit(points, std::vector<double>{1, 2, 3}, 0);
  EXPECT_EQ(kriging.predict().front().deviation, std::numeric_limits<double>::infinity());
}

TEST(RecalledFunction, SoonRecallsWhatItSaw) {
  std::uint64_t calls = 0;
  RecalledFunction function({.name = "f", .sample = [&](Values v, Random&) { return ++calls, smooth(v); }},
                            {.always = true});
  Random random(2);
  double worst = 0;
  for (int i = 0; i < 400; ++i) {
    const Columns parents = points_around(.5 + 1. / (1 + i), 1, .1 + 1. / (1 + i), i % 2, random);
    std::vector<double> results(9);
    const double expected_error = function.values(parents, .01, random, results);
    EXPECT_LT(expected_error, 1e-4);
    for (std::size_t k = 0; i > 50 && k < 9; ++k)
      worst = std::max(worst, std::abs(results[k] - smooth(std::vector{parents[0][k], parents[1][k], parents[2][k]})));
  }
  EXPECT_EQ(function.counts().messages, 3600U);
  EXPECT_EQ(function.counts().oracle_calls(), calls);
  EXPECT_LT(calls, 500U);
  EXPECT_LT(worst, .002);  // of deviations of .1 to 1
}

// Two steps of noise, which no interpolation foresees: nothing is recalled.
TEST(RecalledFunction, AsksWhereTheFunctionIsRough) {
  RecalledFunction function(
      {.name = "f", .sample = [](Values v, Random&) { return std::fmod(std::abs(v[0]) * 12345.678, 1.); }},
      {.always = true});
  Random random(3);
  std::vector<double> results(9);
  for (int i = 0; i < 200; ++i) function.values(points_around(0, 0, 1, 0, random), 1e-4, random, results);
  EXPECT_LT(function.counts().recalled, 18U);
}

TEST(RecalledFunction, GivesUpWhereTheFunctionIsAsFast) {
  RecalledFunction function({.name = "f", .sample = [](Values v, Random&) { return smooth(v); }}, {});
  Random random(4);
  std::vector<double> results(9);
  for (int i = 0; i < 100; ++i) {
    const Columns parents = points_around(0, 1, .1, 0, random);
    function.values(parents, .01, random, results);
    if (i < 50) continue;
    EXPECT_EQ(results[8], smooth(std::vector{parents[0][8], parents[1][8], 0.}));
  }
  EXPECT_TRUE(function.counts().is_off);
  EXPECT_EQ(function.counts().messages, 900U);
}

TEST(RecalledFunction, NeedsAFunction) {
  EXPECT_THROW(RecalledFunction({.name = "f", .log_density = [](Values) { return 0.; }}, {}), UsageError);
}

}  // namespace
}  // namespace fovea::ep
