// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <boost/math/special_functions/digamma.hpp>
#include <boost/math/special_functions/trigamma.hpp>
#include <cmath>

#include "fovea/ep/family/exponential_family.h"

namespace fovea::ep {

/// Policy that computes in double precision throughout, where Boost would take long double, and returns NaN or an
/// infinity where it would throw: what has such a parameter is not proper.
using InDouble =
    boost::math::policies::policy<boost::math::policies::promote_double<false>,
                                  boost::math::policies::domain_error<boost::math::policies::ignore_error>,
                                  boost::math::policies::pole_error<boost::math::policies::ignore_error>,
                                  boost::math::policies::overflow_error<boost::math::policies::ignore_error>,
                                  boost::math::policies::evaluation_error<boost::math::policies::ignore_error>>;

inline double digamma(double x) { return boost::math::digamma(x, InDouble()); }
inline double trigamma(double x) { return boost::math::trigamma(x, InDouble()); }

/// x^(shape - 1) exp(-rate x), x > 0: T(x) = (log x, -x).
struct Gamma : ExponentialFamily<Gamma, std::array<double, 2>> {
  static constexpr const char* kName = "gamma";

  static Gamma from_shape_rate(double shape, double rate) { return {{{shape - 1, rate}}}; }
  /// Requires mean > 0 and variance > 0.
  static Gamma from_mean_variance(double mean, double variance) {
    return from_shape_rate(mean * mean / variance, mean / variance);
  }
  /// Requires E[log x] < log E[x] and E[x] > 0. Solved by Newton steps in log shape (Minka 2002, "Estimating a Gamma
  /// distribution").
  static Gamma from_expected_logarithm(double mean, double expected_logarithm);
  static Gamma from_expected_statistics(const Parameters& statistics) {
    return from_expected_logarithm(-statistics[1], statistics[0]);
  }

  double shape() const { return natural[0] + 1; }
  double rate() const { return natural[1]; }
  double mean() const { return shape() / rate(); }
  double variance() const { return shape() / (rate() * rate()); }
  double expected_logarithm() const;

  bool is_proper() const { return shape() > 0 && rate() > 0 && std::isfinite(shape()) && std::isfinite(rate()); }
  double log_normalizer() const { return std::lgamma(shape()) - shape() * std::log(rate()); }
  double log_density(double x) const { return natural[0] * std::log(x) - natural[1] * x - log_normalizer(); }
  Parameters expected_statistics() const { return {expected_logarithm(), -mean()}; }

  friend bool operator==(const Gamma&, const Gamma&) = default;
};

inline double Gamma::expected_logarithm() const { return digamma(shape()) - std::log(rate()); }

inline Gamma Gamma::from_expected_logarithm(double mean, double expected_logarithm) {
  constexpr int kMostSteps = 50;
  const double gap = std::log(mean) - expected_logarithm;  // log shape - digamma(shape), which falls with the shape
  double shape = (3 - gap + std::sqrt((gap - 3) * (gap - 3) + 24 * gap)) / (12 * gap);  // within 1.5 %
  for (int step = 0; step < kMostSteps; ++step) {
    const double error = std::log(shape) - digamma(shape) - gap;
    const double slope = 1 / shape - trigamma(shape);
    const double change = error / (slope * shape);
    shape *= std::exp(-change);
    if (std::abs(change) < 1e-14) break;
  }
  return from_shape_rate(shape, shape / mean);
}

}  // namespace fovea::ep
