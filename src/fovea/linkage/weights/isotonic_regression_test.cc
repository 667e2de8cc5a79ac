// SPDX-License-Identifier: Apache-2.0
#include "fovea/linkage/weights/isotonic_regression.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "fovea/base/random.h"
#include "tests/support/expect_error.h"

namespace fovea::linkage {
namespace {

using Knot = MonotoneMap::Knot;

/// Computes it by its definition: max over a <= x of the min over b >= x of the mean y of the points with a <= x <= b.
double by_min_max(const std::vector<Knot>& points, double x) {
  double highest = -1e300;
  for (const Knot& from : points) {
    if (from.x > x) continue;
    double lowest = 1e300;
    for (const Knot& to : points) {
      if (to.x < x) continue;
      double sum = 0, count = 0;
      for (const Knot& point : points)
        if (point.x >= from.x && point.x <= to.x) sum += point.y, ++count;
      lowest = std::min(lowest, sum / count);
    }
    highest = std::max(highest, lowest);
  }
  return highest;
}

TEST(IsotonicRegression, PoolsWhatFalls) {
  EXPECT_THAT(fit_isotonic_regression({{3, 1}, {0, 0}, {1, 1}, {2, 0}}).knots,
              ElementsAre(Knot{0, 0}, Knot{1, .5}, Knot{2, .5}, Knot{3, 1}));
  EXPECT_THAT(fit_isotonic_regression({{1, 0}, {1, 1}, {1, 1}, {1, 1}}).knots, ElementsAre(Knot{1, .75}));
  EXPECT_THAT(fit_isotonic_regression({{0, 1}, {.5, 1}, {1, 1}}).knots, ElementsAre(Knot{0, 1}, Knot{1, 1}));
}

TEST(IsotonicRegression, IsWhatTheDefinitionSays) {
  Random random(3);
  for (int trial = 0; trial < 50; ++trial) {
    std::vector<Knot> points;
    for (std::uint32_t i = 0, count = 1 + random.uniform_index(25); i < count; ++i) {
      const double x = random.uniform_index(12) / 11.;
      points.push_back({x, random.bernoulli(x) ? 1. : 0.});
    }
    const MonotoneMap map = fit_isotonic_regression(points);
    EXPECT_TRUE(std::ranges::is_sorted(map.knots, {}, &Knot::x));
    EXPECT_TRUE(std::ranges::is_sorted(map.knots, {}, &Knot::y));
    for (const Knot& point : points) EXPECT_NEAR(map(point.x), by_min_max(points, point.x), 1e-12);
  }
}

TEST(IsotonicRegression, MapsAreStraightBetweenKnots) {
  const MonotoneMap map{{{0, .25}, {.5, .5}, {1, 1}}};
  EXPECT_EQ(map(-1), .25);
  EXPECT_EQ(map(0), .25);
  EXPECT_EQ(map(.25), .375);
  EXPECT_EQ(map(.5), .5);
  EXPECT_EQ(map(.75), .75);
  EXPECT_EQ(map(1), 1);
  EXPECT_EQ(map(2), 1);
}

TEST(IsotonicRegression, NoKnotsAreTheIdentity) {
  EXPECT_EQ(fit_isotonic_regression({}), MonotoneMap());
  EXPECT_EQ(MonotoneMap()(.3), .3);
}

}  // namespace
}  // namespace fovea::linkage
