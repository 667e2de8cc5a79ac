// SPDX-License-Identifier: Apache-2.0
#include "fovea/ep/operators/normal.h"

#include <cmath>
#include <numbers>

#include "fovea/ep/operators/gaussian_arithmetic.h"
#include "fovea/ep/operators/moments.h"
#include "fovea/ep/quadrature/quadrature.h"

namespace fovea::ep {
namespace {

const double kLogTwoPi = std::log(2 * std::numbers::pi);

/// Gamma(precision) N(gap; 0, spread + 1 / precision) over t = log precision, where it falls off at both ends: the
/// factor with y and mean integrated out. These are `gap` apart, and their variances sum to `spread`.
struct PrecisionIntegral {
  const Gamma& precision;
  double gap, spread;

  /// Moments of this density times precision^power (spread + 1 / precision)^-share.
  LineMoments operator()(double power, double share) const {
    const double start = std::log(precision.mean()), width = .5 / std::sqrt(precision.shape() + .5);
    return integrate_line(
        [&](double t) {
          const double variance = spread + std::exp(-t);
          return (precision.shape() + power) * t - precision.rate() * std::exp(t) - precision.log_normalizer() -
                 .5 * (kLogTwoPi + gap * gap / variance) - (.5 + share) * std::log(variance);
        },
        start, width);
  }
};

/// Marginal of a variable with this variance that is `gap` away from another one: it shifts by its share of the total
/// variance, which depends on the precision.
Gaussian shifted_by_share(const PrecisionIntegral& integral, double log_mass, double mean, double variance,
                          double gap) {
  const double gain = variance * std::exp(integral(0, 1).log_mass - log_mass);
  const double square = variance * variance * std::exp(integral(0, 2).log_mass - log_mass);
  return Gaussian::from_mean_variance(mean + gain * gap,
                                      variance * (1 - gain) + std::max(0., square - gain * gain) * gap * gap);
}

}  // namespace

Tilted NormalOperator::tilted(std::size_t slot, std::span<const Message> incoming, Random& random) const {
  const Message &y = incoming[0], &mean = incoming[1];
  if (const auto* known = std::get_if<Point>(&incoming[2])) {
    const LinearOperator given_precision({1}, 0, 1 / known->value);
    if (slot < 2) return given_precision.tilted(slot, incoming.first(2), random);
    return {.marginal = incoming[2], .log_mass = given_precision.tilted(1, incoming.first(2), random).log_mass};
  }
  const Gamma& precision = std::get<Gamma>(incoming[2]);
  if (!is_proper(y)) {
    const double shape = precision.shape();
    const bool has_variance = shape > 1;  // E[1 / precision] = rate / (shape - 1)
    const double noise = has_variance ? precision.rate() / (shape - 1) : (1 + 1 / shape) / precision.mean();
    const Gaussian told = Gaussian::from_mean_variance(mean_of(mean), variance_of(mean) + noise);
    return {.marginal = product(y, told), .log_mass = log_overlap(told, y), .is_stand_in = !has_variance};
  }
  const double gap = mean_of(y) - mean_of(mean);
  const PrecisionIntegral integral = {.precision = precision, .gap = gap, .spread = variance_of(y) + variance_of(mean)};
  if (integral.spread == 0) {  // conjugate
    const Gamma marginal = precision * Gamma::from_shape_rate(1.5, gap * gap / 2);
    return {.marginal = slot == 2 ? Message(marginal) : incoming[slot],
            .log_mass = marginal.log_normalizer() - precision.log_normalizer() - .5 * kLogTwoPi};
  }
  const LineMoments moments = integral(0, 0);
  Tilted result = {.marginal = incoming[slot], .log_mass = moments.log_mass};
  if (slot == 2)
    result.marginal =
        Gamma::from_expected_logarithm(std::exp(integral(1, 0).log_mass - moments.log_mass), moments.mean);
  else if (!std::holds_alternative<Point>(incoming[slot]))
    result.marginal = shifted_by_share(integral, moments.log_mass, mean_of(incoming[slot]), variance_of(incoming[slot]),
                                       slot == 0 ? -gap : gap);
  return result;
}

std::optional<Variational> NormalOperator::variational(std::size_t slot, std::span<const Message> marginals) const {
  const Message &y = marginals[0], &mean = marginals[1];
  const double gap = mean_of(y) - mean_of(mean), precision = mean_of(marginals[2]);
  const double square = gap * gap + variance_of(y) + variance_of(mean);
  Variational result = {.expected_log = .5 * (expected_logarithm_of(marginals[2]) - kLogTwoPi - precision * square)};
  if (slot == 2) result.message = Gamma::from_shape_rate(1.5, square / 2);
  else result.message = Gaussian::from_natural(precision * mean_of(marginals[1 - slot]), precision);
  return result;
}

}  // namespace fovea::ep
