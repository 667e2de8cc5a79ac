// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <limits>
#include <span>

namespace fovea {

inline constexpr double kInfinity = std::numeric_limits<double>::infinity();
inline constexpr float kInfinityF = std::numeric_limits<float>::infinity();

/// The log score of the impossible.
inline constexpr double kImpossible = -kInfinity;
inline constexpr float kImpossibleF = -kInfinityF;

/// log(exp(a) + exp(b)); either may be -inf.
inline double add_logs(double a, double b) {
  const double high = std::max(a, b);
  if (high == kImpossible) return high;
  return high + std::log1p(std::exp(std::min(a, b) - high));
}

/// log of the sum of exp(scores); not empty, any may be -inf.
inline double log_sum(std::span<const double> scores) {
  const double high = *std::max_element(scores.begin(), scores.end());
  if (high == kImpossible) return high;
  double sum = 0;
  for (const double score : scores) sum += std::exp(score - high);
  return high + std::log(sum);
}

/// The probability whose log odds are x: 1 / (1 + exp(-x)), in (0, 1) up to rounding.
template <class Real>
Real sigmoid(Real x) {
  return 1 / (1 + std::exp(-x));
}

/// log n of a count n >= 1; small counts are looked up in a table, which is faster.
inline double log_count(std::size_t n) {
  static const auto table = [] {
    std::array<double, 4096> logs = {};
    for (std::size_t i = 1; i < logs.size(); ++i) logs[i] = std::log(static_cast<double>(i));
    return logs;
  }();
  return n < table.size() ? table[n] : std::log(static_cast<double>(n));
}

/// x <- exp(x) for each x, within a few units in the last place. -inf gives 0, and so does NaN: check for NaN first.
void exponentiate(std::span<float> x);
void exponentiate(std::span<double> x);

}  // namespace fovea
