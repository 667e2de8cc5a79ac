// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>

#include "fovea/ep/family/exponential_family.h"

namespace fovea::ep {

/// x^(a - 1) (1 - x)^(b - 1), 0 < x < 1: T(x) = (log x, log(1 - x)).
struct Beta : ExponentialFamily<Beta, std::array<double, 2>> {
  static constexpr const char* kName = "beta";

  static Beta from_counts(double a, double b) { return {{{a - 1, b - 1}}}; }
  /// 0 < mean < 1, 0 < variance < mean (1 - mean).
  static Beta from_mean_variance(double mean, double variance) {
    const double total = mean * (1 - mean) / variance - 1;
    return from_counts(mean * total, (1 - mean) * total);
  }
  /// Solves for a and b by Newton steps in their logarithms.
  static Beta from_expected_statistics(const Parameters& statistics);

  double a() const { return natural[0] + 1; }
  double b() const { return natural[1] + 1; }
  double mean() const { return a() / (a() + b()); }
  double variance() const { return mean() * (1 - mean()) / (a() + b() + 1); }

  bool is_proper() const { return a() > 0 && b() > 0 && std::isfinite(a()) && std::isfinite(b()); }
  double log_normalizer() const { return std::lgamma(a()) + std::lgamma(b()) - std::lgamma(a() + b()); }
  double log_density(double x) const {
    return natural[0] * std::log(x) + natural[1] * std::log1p(-x) - log_normalizer();
  }
  Parameters expected_statistics() const;

  friend bool operator==(const Beta&, const Beta&) = default;
};

}  // namespace fovea::ep
