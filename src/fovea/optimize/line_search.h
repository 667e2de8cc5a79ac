// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

namespace fovea::optimize::internal {

/// Value and slope of phi(t) = f(x + t d).
struct LinePoint {
  double step = 0;
  double value = 0;
  double slope = 0;
};

struct LineSearchResult {
  LinePoint point;
  bool found = false;
};

/// Sufficient decrease: phi(t) <= phi(0) + kDecrease t phi'(0). Or, where phi's rounding error hides a decrease, its
/// form in slopes (Hager, Zhang 2005, "A new conjugate gradient method with guaranteed descent", eq. 4.1):
/// phi'(t) <= (2 kDecrease - 1) phi'(0) and phi(t) <= phi(0) + kNoise |phi(0)|.
inline bool decreases_enough(const LinePoint& start, const LinePoint& point) {
  constexpr double kDecrease = 1e-4, kNoise = 1e-6;
  if (point.value <= start.value + kDecrease * point.step * start.slope) return true;
  return point.slope <= (2 * kDecrease - 1) * start.slope &&
         point.value <= start.value + kNoise * std::abs(start.value);
}

/// Minimum of the cubic that has the values and slopes of a and b, kept inside the middle 80 % of the bracket
/// (Nocedal, Wright 2006, "Numerical optimization", eq. 3.59); the middle of the bracket if it has no minimum.
inline double interpolate(const LinePoint& a, const LinePoint& b) {
  const double width = b.step - a.step;
  const double d1 = a.slope + b.slope - 3 * (b.value - a.value) / width;
  const double d2 = std::copysign(std::sqrt(std::max(0.0, d1 * d1 - a.slope * b.slope)), width);
  const double t = b.step - width * (b.slope + d2 - d1) / (b.slope - a.slope + 2 * d2);
  if (!std::isfinite(t)) return a.step + width / 2;
  return std::clamp(t, a.step + .1 * width, b.step - .1 * width);
}

/// Finds a step with sufficient decrease and phi'(t) >= .9 phi'(0) (weak Wolfe conditions), first trying
/// `first_step`. `evaluate(t)` returns the LinePoint at t; the last call is at the step returned.
template <class Evaluate>
LineSearchResult search_line(const LinePoint& start, double first_step, const Evaluate& evaluate, int max_trials = 30) {
  constexpr double kCurvature = .9, kExpansion = 4;
  LinePoint low = start, high;
  high.step = std::numeric_limits<double>::infinity();
  double step = first_step;
  for (int trial = 0; trial < max_trials; ++trial) {
    const LinePoint point = evaluate(step);
    if (!std::isfinite(point.value) || !std::isfinite(point.slope)) {
      high.step = step;
      step = low.step + (step - low.step) / 10;
      continue;
    }
    if (!decreases_enough(start, point)) {
      high = point;
    } else if (point.slope < kCurvature * start.slope) {
      low = point;
    } else {
      return {point, true};
    }
    step = std::isinf(high.step) ? step * kExpansion : interpolate(low, high);
  }
  return {low, false};
}

}  // namespace fovea::optimize::internal
