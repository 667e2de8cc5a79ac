// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <span>
#include <utility>
#include <vector>

namespace fovea::testing {

/// Checks an analytic gradient against central differences: for every i,
///   |g_i - (f(x + h e_i) - f(x - h e_i)) / 2h| <= tolerance * max(1, |g_i|),   h = eps^(1/3) max(1, |x_i|),
/// where the truncation and the rounding error of the difference are both about eps^(2/3) = 4e-11 for a smooth f of
/// order one, evaluated in double. `value` is called as double(const std::vector<double>&).
template <class Value>
::testing::AssertionResult gradient_matches(Value&& value, std::vector<double> x, std::span<const double> gradient,
                                            double tolerance = 1e-7) {
  if (x.size() != gradient.size()) return ::testing::AssertionFailure() << "sizes differ";
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double center = x[i];
    const double step = std::cbrt(2.2e-16) * std::max(1.0, std::abs(center));
    x[i] = center + step;
    const double above = value(std::as_const(x));
    x[i] = center - step;
    const double below = value(std::as_const(x));
    x[i] = center;
    const double difference = (above - below) / (2 * step);
    // Written so that NaN fails.
    if (!(std::abs(gradient[i] - difference) <= tolerance * std::max(1.0, std::abs(gradient[i]))))
      return ::testing::AssertionFailure()
             << "component " << i << ": analytic " << gradient[i] << ", difference quotient " << difference;
  }
  return ::testing::AssertionSuccess();
}

}  // namespace fovea::testing
