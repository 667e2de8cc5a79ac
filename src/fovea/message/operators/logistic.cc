// SPDX-License-Identifier: Apache-2.0
#include "fovea/message/operators/logistic.h"

#include "fovea/message/oracle/quadrature.h"

namespace fovea::message {
namespace {

/// log(1 + exp(x)).
double softplus(double x) { return std::max(x, 0.) + std::log1p(std::exp(-std::abs(x))); }

LineMoments integrate_tilted(const Gaussian& x, const Beta& p, double more_left, double more_right) {
  const double left = p.natural[0] + more_left, right = p.natural[1] + more_right;
  return integrate_line([&](double t) { return x.log_density(t) - left * softplus(-t) - right * softplus(t); },
                        x.mean(), std::sqrt(x.variance()) / 2);
}

}  // namespace

Gaussian LogisticFactor::marginal_of_x(const Gaussian& x, const Beta& p) {
  const LineMoments moments = integrate_tilted(x, p, 0, 0);
  return Gaussian::from_mean_variance(moments.mean, moments.variance);
}

Beta LogisticFactor::marginal_of_p(const Gaussian& x, const Beta& p) {
  const double mass = integrate_tilted(x, p, 0, 0).log_mass;
  const double mean = std::exp(integrate_tilted(x, p, 1, 0).log_mass - mass);
  // E[p^2] - E[p]^2 = E[p] (1 - E[p]) - E[p (1 - p)]: what is taken off is small where the variance is.
  const double spread = std::exp(integrate_tilted(x, p, 1, 1).log_mass - mass);
  return Beta::from_mean_variance(mean, mean * (1 - mean) - spread);
}

double LogisticFactor::log_evidence(const Gaussian& x, const Beta& p) { return integrate_tilted(x, p, 0, 0).log_mass; }

}  // namespace fovea::message
