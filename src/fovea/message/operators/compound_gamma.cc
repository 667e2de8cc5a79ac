// SPDX-License-Identifier: Apache-2.0
#include "fovea/message/operators/compound_gamma.h"

#include "fovea/message/oracle/quadrature.h"

namespace fovea::message {

double CompoundGammaFactor::log_density(double x) const {
  return std::lgamma(shape + rate_shape) - std::lgamma(shape) - std::lgamma(rate_shape) +
         rate_shape * std::log(rate_rate) + (shape - 1) * std::log(x) - (shape + rate_shape) * std::log(rate_rate + x);
}

Gamma CompoundGammaFactor::marginal_of_x(const Gamma& x, GammaProjection projection) const {
  // Over t = log x, where the density falls off at both ends; more: times x^more.
  const auto integrate = [&](double more) {
    return integrate_line(
        [&](double t) {
          const double value = std::exp(t);
          return (shape + x.natural[0] + more) * t - (shape + rate_shape) * std::log(rate_rate + value) -
                 x.rate() * value;
        },
        std::log(rate_rate), .5);
  };
  const LineMoments logarithm = integrate(0);
  const double mean = std::exp(integrate(1).log_mass - logarithm.log_mass);
  if (projection == GammaProjection::kMeanLogarithm) return Gamma::from_expected_logarithm(mean, logarithm.mean);
  const double second = std::exp(integrate(2).log_mass - logarithm.log_mass);
  return Gamma::from_mean_variance(mean, second - mean * mean);
}

}  // namespace fovea::message
