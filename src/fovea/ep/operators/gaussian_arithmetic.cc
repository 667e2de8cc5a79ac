// SPDX-License-Identifier: Apache-2.0
#include "fovea/ep/operators/gaussian_arithmetic.h"

#include <numbers>

#include "fovea/ep/operators/moments.h"

namespace fovea::ep {
namespace {

/// Convolution: the variances add. The result is uniform if one of the precisions is 0.
Gaussian convolved(double mean_weight_x, double precision_x, double mean_weight_y, double precision_y) {
  const double total = precision_x + precision_y;
  if (precision_x == 0 || precision_y == 0) return {};
  return Gaussian::from_natural((precision_y * mean_weight_x + precision_x * mean_weight_y) / total,
                                precision_x * precision_y / total);
}

}  // namespace

Gaussian sum_of(const Gaussian& x, const Gaussian& y) {
  return convolved(x.precision_mean(), x.precision(), y.precision_mean(), y.precision());
}

Gaussian difference_of(const Gaussian& z, const Gaussian& y) {
  return convolved(z.precision_mean(), z.precision(), -y.precision_mean(), y.precision());
}

InnerProduct::InnerProduct(std::span<const double> factors, std::span<const Gaussian> x) : factors_(factors), x_(x) {
  FOVEA_CHECK(factors.size() == x.size());
  for (std::size_t i = 0; i < x.size(); ++i) {
    mean_ += factors[i] * x[i].mean();
    variance_ += factors[i] * factors[i] * x[i].variance();
  }
}

Gaussian InnerProduct::to_term(std::size_t i, const Gaussian& z) const {
  const double factor = factors_[i];
  // factor x_i = z - the other terms.
  const double others_mean = mean_ - factor * x_[i].mean();
  const double others_variance = std::max(0., variance_ - factor * factor * x_[i].variance());
  const Gaussian shifted = Gaussian::from_natural(z.precision_mean() - z.precision() * others_mean, z.precision());
  return unscaled(blurred(shifted, others_variance), factor);
}

Tilted LinearOperator::tilted(std::size_t slot, std::span<const Message> incoming, Random&) const {
  // The equation solved for the variable of `slot`.
  double mean = offset_, variance = noise_variance_;
  for (std::size_t i = 0; i < incoming.size(); ++i) {
    if (i == slot) continue;
    mean += factor_of(i) * mean_of(incoming[i]);
    variance += factor_of(i) * factor_of(i) * variance_of(incoming[i]);
  }
  mean /= -factor_of(slot);
  variance /= factor_of(slot) * factor_of(slot);
  const double log_factor = std::log(std::abs(factor_of(slot)));  // log ratio of the variable's density to that of z
  const Message& own = incoming[slot];
  if (const auto* known = std::get_if<Point>(&own))
    return {.marginal = own,
            .log_mass = Gaussian::from_mean_variance(mean, variance).log_density(known->value) - log_factor};
  const Gaussian& message = std::get<Gaussian>(own);
  if (variance == 0) {  // the variable is known
    const double log_mass = message.is_proper() ? message.log_density(mean) : 0;
    return {.marginal = Point{mean}, .log_mass = log_mass - log_factor};
  }
  const Gaussian told = Gaussian::from_mean_variance(mean, variance);
  return {.marginal = told * message, .log_mass = log_overlap(told, message) - log_factor};
}

std::optional<Variational> LinearOperator::variational(std::size_t slot, std::span<const Message> marginals) const {
  if (noise_variance_ == 0) return std::nullopt;
  double others = offset_, variance = 0;
  for (std::size_t i = 0; i < marginals.size(); ++i) {
    if (i != slot) others += factor_of(i) * mean_of(marginals[i]);
    variance += factor_of(i) * factor_of(i) * variance_of(marginals[i]);
  }
  const double factor = factor_of(slot), gap = others + factor * mean_of(marginals[slot]);
  return Variational{.message = Gaussian::from_mean_variance(-others / factor, noise_variance_ / (factor * factor)),
                     .expected_log = -.5 * (std::log(2 * std::numbers::pi * noise_variance_) +
                                            (gap * gap + variance) / noise_variance_)};
}

}  // namespace fovea::ep
