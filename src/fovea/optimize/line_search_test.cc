// SPDX-License-Identifier: Apache-2.0
#include "fovea/optimize/line_search.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>

namespace fovea::optimize::internal {
namespace {

/// phi and its derivative; the search runs from t = 0.
struct Line {
  const char* name;
  std::function<double(double)> value, slope;
};

const Line kLines[] = {
    {"parabola with a far minimum", [](double t) { return (t - 300) * (t - 300); },
     [](double t) { return 2 * (t - 300); }},
    {"parabola with a near minimum", [](double t) { return (t - 1e-4) * (t - 1e-4); },
     [](double t) { return 2 * (t - 1e-4); }},
    {"long flat valley", [](double t) { return std::log1p((t - 5) * (t - 5)); },
     [](double t) { return 2 * (t - 5) / (1 + (t - 5) * (t - 5)); }},
    {"wavy", [](double t) { return -t + .3 * t * t + .2 * std::cos(9 * t); },
     [](double t) { return -1 + .6 * t - 1.8 * std::sin(9 * t); }},
};

TEST(LineSearch, FindsWeakWolfePoints) {
  for (const Line& line : kLines)
    for (const double first : {1.0, 1e-3, 50.0}) {
      SCOPED_TRACE(line.name);
      const LinePoint start{0, line.value(0), line.slope(0)};
      double last = -1;
      const auto result = search_line(start, first, [&](double t) {
        last = t;
        return LinePoint{t, line.value(t), line.slope(t)};
      });
      ASSERT_TRUE(result.found);
      EXPECT_EQ(result.point.step, last);
      EXPECT_TRUE(decreases_enough(start, result.point));
      EXPECT_GE(result.point.slope, .9 * start.slope);
    }
}

TEST(LineSearch, GivesUpOnALineWithoutEnd) {
  const auto result = search_line({0, 0, -1}, 1, [](double t) { return LinePoint{t, -t, -1}; });
  EXPECT_FALSE(result.found);
}

TEST(LineSearch, InterpolatesCubicsExactly) {
  // t^3 - 3 t has its minimum at 1.
  const auto at = [](double t) { return LinePoint{t, t * t * t - 3 * t, 3 * t * t - 3}; };
  EXPECT_NEAR(interpolate(at(0), at(2)), 1, 1e-12);
  EXPECT_NEAR(interpolate(at(.2), at(3)), 1, 1e-12);
}

}  // namespace
}  // namespace fovea::optimize::internal
