// SPDX-License-Identifier: Apache-2.0
#include "fovea/ep/operators/compound_gamma.h"

#include <algorithm>
#include <boost/math/special_functions/polygamma.hpp>
#include <cmath>

#include "fovea/ep/operators/moments.h"
#include "fovea/ep/quadrature/quadrature.h"

namespace fovea::ep {

double CompoundGammaFactor::log_kernel(double x) const {
  return (shape - 1) * std::log(x) - (shape + rate_shape) * std::log(rate_rate + x);
}

double CompoundGammaFactor::log_density(double x) const {
  return std::lgamma(shape + rate_shape) - std::lgamma(shape) - std::lgamma(rate_shape) +
         rate_shape * std::log(rate_rate) + log_kernel(x);
}

namespace {

/// Moments of f(x) x(x) x^more over t = log x, where the density falls off at both ends.
LineMoments integrate_logarithm(const CompoundGammaFactor& f, const Gamma& x, double more) {
  return integrate_line(
      [&](double t) {
        const double value = std::exp(t);
        return (f.shape + x.natural[0] + more) * t - (f.shape + f.rate_shape) * std::log(f.rate_rate + value) -
               x.rate() * value;
      },
      std::log(f.rate_rate), .5);
}

}  // namespace

Gamma CompoundGammaFactor::marginal_of_x(const Gamma& x, GammaProjection projection) const {
  const LineMoments logarithm = integrate_logarithm(*this, x, 0);
  const double mean = std::exp(integrate_logarithm(*this, x, 1).log_mass - logarithm.log_mass);
  if (projection == GammaProjection::kMeanLogarithm) return Gamma::from_expected_logarithm(mean, logarithm.mean);
  const double second = std::exp(integrate_logarithm(*this, x, 2).log_mass - logarithm.log_mass);
  return Gamma::from_mean_variance(mean, second - mean * mean);
}

double CompoundGammaFactor::log_evidence(const Gamma& x) const {
  return integrate_logarithm(*this, x, 0).log_mass + log_density(1) - log_kernel(1);
}

Tilted CompoundGammaOperator::tilted(std::size_t, std::span<const Message> incoming, Random&) const {
  const Gamma& x = std::get<Gamma>(incoming[0]);
  return {.marginal = factor_.marginal_of_x(x, projection_), .log_mass = factor_.log_evidence(x) - x.log_normalizer()};
}

namespace {

/// The Gamma with the mean and variance of log x of x ~ Gamma(shape, r).
Gamma by_logarithm(double shape, const Gamma& rate) {
  const double variance = trigamma(shape) + trigamma(rate.shape());
  double found = 1 / variance;  // trigamma(a) is nearly 1 / a + 1 / (2 a^2): Newton steps in log a
  constexpr int kMostSteps = 100;
  for (int step = 0; step < kMostSteps; ++step) {
    const double change = (trigamma(found) - variance) / (found * boost::math::polygamma(2, found, InDouble()));
    found *= std::exp(-std::clamp(change, -1., 1.));
    if (std::abs(change) < 1e-12) break;
  }
  return Gamma::from_shape_rate(found, std::exp(digamma(found) - digamma(shape) + rate.expected_logarithm()));
}

}  // namespace

Tilted GammaRateOperator::tilted(std::size_t slot, std::span<const Message> incoming, Random&) const {
  const auto* known_x = std::get_if<Point>(&incoming[0]);
  const auto* known_rate = std::get_if<Point>(&incoming[1]);
  if (known_x && known_rate) {
    const Gamma x = Gamma::from_shape_rate(shape_, known_rate->value);
    return {.marginal = incoming[slot], .log_mass = x.log_density(known_x->value)};
  }
  if (known_rate) {
    const Gamma told = Gamma::from_shape_rate(shape_, known_rate->value), &x = std::get<Gamma>(incoming[0]);
    return {.marginal = slot == 1 ? incoming[1] : Message(told * x),
            .log_mass = (told * x).log_normalizer() - told.log_normalizer() - log_normalizer(incoming[0])};
  }
  const Gamma& rate = std::get<Gamma>(incoming[1]);
  if (known_x) {  // conjugate: x^(shape - 1) r^shape exp(-r x) / Gamma(shape)
    const Gamma told = Gamma::from_shape_rate(shape_ + 1, known_x->value);
    return {.marginal = slot == 0 ? incoming[0] : Message(told * rate),
            .log_mass = (told * rate).log_normalizer() - rate.log_normalizer() - std::lgamma(shape_) +
                        (shape_ - 1) * std::log(known_x->value)};
  }
  const Gamma& x = std::get<Gamma>(incoming[0]);
  const CompoundGammaFactor of_x = {.shape = shape_, .rate_shape = rate.shape(), .rate_rate = rate.rate()};
  const double log_mass = of_x.log_evidence(x) - log_normalizer(incoming[0]);
  if (slot == 0) {
    // Without a rate in x's message, the density falls off as x^(x's shape - 2 - r's shape).
    const bool has_mean = x.rate() > 0 || (x.rate() == 0 && rate.shape() > x.shape());
    if (!has_mean) return {.marginal = x * by_logarithm(shape_, rate), .log_mass = log_mass, .is_stand_in = true};
    return {.marginal = of_x.marginal_of_x(x), .log_mass = log_mass};
  }
  // With x integrated out, r^shape (x's rate + r)^-(shape + x's shape - 1): a compound gamma in r, of shape + 1.
  const CompoundGammaFactor of_rate = {.shape = shape_ + 1, .rate_shape = x.shape() - 2, .rate_rate = x.rate()};
  return {.marginal = of_rate.marginal_of_x(rate), .log_mass = log_mass};
}

std::optional<Variational> GammaRateOperator::variational(std::size_t slot, std::span<const Message> marginals) const {
  const double x = mean_of(marginals[0]), rate = mean_of(marginals[1]);
  return Variational{
      .message = slot == 0 ? Gamma::from_shape_rate(shape_, rate) : Gamma::from_shape_rate(shape_ + 1, x),
      .expected_log = shape_ * expected_logarithm_of(marginals[1]) - std::lgamma(shape_) +
                      (shape_ - 1) * expected_logarithm_of(marginals[0]) - rate * x};
}

}  // namespace fovea::ep
