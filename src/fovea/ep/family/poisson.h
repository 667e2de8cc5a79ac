// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>

#include "fovea/ep/family/exponential_family.h"

namespace fovea::ep {

/// exp(log_rate x) / x! over x = 0, 1, 2, ...: T(x) = x. The base measure 1 / x! belongs to the variable, once:
/// messages multiply exp(log_rate x) alone, and the one with log rate 0 says nothing.
struct Poisson : ExponentialFamily<Poisson, std::array<double, 1>> {
  static constexpr const char* kName = "poisson";

  static Poisson from_log_rate(double log_rate) { return {{{log_rate}}}; }
  /// mean > 0.
  static Poisson from_mean(double mean) { return from_log_rate(std::log(mean)); }
  static Poisson from_expected_statistics(const Parameters& statistics) { return from_mean(statistics[0]); }

  double log_rate() const { return natural[0]; }
  double mean() const { return std::exp(natural[0]); }

  bool is_proper() const { return std::isfinite(natural[0]); }
  double log_normalizer() const { return mean(); }
  double log_density(double x) const { return natural[0] * x - std::lgamma(x + 1) - log_normalizer(); }
  Parameters expected_statistics() const { return {mean()}; }

  friend bool operator==(const Poisson&, const Poisson&) = default;
};

}  // namespace fovea::ep
