// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cmath>
#include <numbers>

#include "fovea/ep/family/exponential_family.h"

namespace fovea::ep {

/// exp(precision_mean x - precision x^2 / 2): T(x) = (x, -x^2 / 2).
struct Gaussian : ExponentialFamily<Gaussian, std::array<double, 2>> {
  static constexpr const char* kName = "gaussian";

  static Gaussian from_natural(double precision_mean, double precision) { return {{{precision_mean, precision}}}; }
  /// Requires variance > 0.
  static Gaussian from_mean_variance(double mean, double variance) {
    return from_natural(mean / variance, 1 / variance);
  }
  static Gaussian from_expected_statistics(const Parameters& statistics) {
    return from_mean_variance(statistics[0], -2 * statistics[1] - statistics[0] * statistics[0]);
  }

  double precision_mean() const { return natural[0]; }
  double precision() const { return natural[1]; }
  double mean() const { return natural[0] / natural[1]; }
  double variance() const { return 1 / natural[1]; }

  bool is_proper() const { return natural[1] > 0 && std::isfinite(natural[0]) && std::isfinite(natural[1]); }
  double log_normalizer() const { return .5 * (natural[0] * mean() + std::log(2 * std::numbers::pi / natural[1])); }
  double log_density(double x) const { return natural[0] * x - natural[1] * x * x / 2 - log_normalizer(); }
  Parameters expected_statistics() const { return {mean(), -.5 * (variance() + mean() * mean())}; }

  friend bool operator==(const Gaussian&, const Gaussian&) = default;
};

/// KL(p || q) without the cancellation of the general form.
inline double kl_divergence(const Gaussian& p, const Gaussian& q) {
  const double excess = q.precision() / p.precision() - 1, shift = p.mean() - q.mean();
  return std::max(0., .5 * (excess - std::log1p(excess) + q.precision() * shift * shift));
}

}  // namespace fovea::ep
