// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>

#include "fovea/ep/family/exponential_family.h"

namespace fovea::ep {

/// exp(log_odds x) over x = 0, 1: T(x) = x.
struct Bernoulli : ExponentialFamily<Bernoulli, std::array<double, 1>> {
  static constexpr const char* kName = "bernoulli";

  static Bernoulli from_log_odds(double log_odds) { return {{{log_odds}}}; }
  static Bernoulli from_probability(double p) { return from_log_odds(std::log(p) - std::log1p(-p)); }
  static Bernoulli from_expected_statistics(const Parameters& statistics) { return from_probability(statistics[0]); }

  double log_odds() const { return natural[0]; }
  double probability() const { return 1 / (1 + std::exp(-natural[0])); }

  bool is_proper() const { return !std::isnan(natural[0]); }
  /// log(1 + exp(log_odds)).
  double log_normalizer() const {
    return natural[0] > 0 ? natural[0] + std::log1p(std::exp(-natural[0])) : std::log1p(std::exp(natural[0]));
  }
  double log_density(bool x) const { return (x ? natural[0] : 0) - log_normalizer(); }
  Parameters expected_statistics() const { return {probability()}; }

  friend bool operator==(const Bernoulli&, const Bernoulli&) = default;
};

}  // namespace fovea::ep
