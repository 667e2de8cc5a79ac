// SPDX-License-Identifier: Apache-2.0
#include "fovea/ep/operators/truncation.h"

#include <cmath>
#include <numbers>

#include "fovea/base/error.h"
#include "fovea/base/log_math.h"

namespace fovea::ep {
namespace {

double log_normal_density(double x) { return -.5 * (x * x + std::log(2 * std::numbers::pi)); }

/// log probability of one side of a truth, which may be certain.
double log_probability(const Bernoulli& truth, bool side) {
  const double odds = side ? truth.log_odds() : -truth.log_odds();
  return odds > 0 ? -std::log1p(std::exp(-odds)) : odds - std::log1p(std::exp(odds));
}

}  // namespace

double log_normal_cdf(double x) {
  constexpr double kFar = -10;
  if (x > kFar) return std::log(.5 * std::erfc(-x / std::numbers::sqrt2));
  // Mills' ratio as a continued fraction (Laplace): cdf(x) = density(x) / (z + 1 / (z + 2 / (z + 3 / ...))), z = -x.
  double fraction = -x;
  for (int k = 60; k > 0; --k) fraction = -x + k / fraction;
  return log_normal_density(x) - std::log(fraction);
}

Bernoulli TruncationFactor::message_to_truth(const Gaussian& x) const {
  const double z = (x.mean() - threshold) / std::sqrt(x.variance());
  return Bernoulli::from_log_odds(log_normal_cdf(z) - log_normal_cdf(-z));
}

double TruncationFactor::log_evidence(const Gaussian& x, const Bernoulli& is_above) const {
  const double z = (x.mean() - threshold) / std::sqrt(x.variance());
  return add_logs(log_probability(is_above, true) + log_normal_cdf(z),
                  log_probability(is_above, false) + log_normal_cdf(-z));
}

Gaussian TruncationFactor::marginal_of_x(const Gaussian& x, const Bernoulli& is_above) const {
  const double deviation = std::sqrt(x.variance()), z = (x.mean() - threshold) / deviation;
  const double log_mass = log_evidence(x, is_above);
  // Both sides have mass; the density at the threshold pulls by the excess of the weight above over that below.
  const auto pull_of = [&](bool side) {
    return std::exp(log_probability(is_above, side) + log_normal_density(z) - log_mass);
  };
  const double pull = pull_of(true) - pull_of(false);
  const double shrink = pull * (pull + z);
  return Gaussian::from_mean_variance(x.mean() + deviation * pull, x.variance() * (1 - shrink));
}

Tilted GreaterThanOperator::tilted(std::size_t slot, std::span<const Message> incoming, Random&) const {
  if (const auto* known_x = std::get_if<Point>(&incoming[1])) {
    const bool above = known_x->value > factor_.threshold;
    const auto* told = std::get_if<Bernoulli>(&incoming[0]);
    if (!told && (std::get<Point>(incoming[0]).value != 0) != above)
      throw InputError({}, "factor 'greater-than': both its variables are known, and contradict each other: zero mass",
                       "Observe only one of them");
    return {.marginal = slot == 0 ? Message(Point{above ? 1. : 0.}) : incoming[1],
            .log_mass = told ? log_probability(*told, above) : 0};
  }
  const Gaussian& x = std::get<Gaussian>(incoming[1]);
  if (const auto* known = std::get_if<Point>(&incoming[0])) {
    const Bernoulli sure = Bernoulli::from_log_odds(known->value != 0 ? kInfinity : -kInfinity);
    const double log_mass = factor_.log_evidence(x, sure);
    return {.marginal = slot == 0 ? incoming[0] : Message(factor_.marginal_of_x(x, sure)), .log_mass = log_mass};
  }
  const Bernoulli& truth = std::get<Bernoulli>(incoming[0]);
  const double log_mass = factor_.log_evidence(x, truth);
  if (slot == 0) return {.marginal = factor_.message_to_truth(x) * truth, .log_mass = log_mass};
  return {.marginal = factor_.marginal_of_x(x, truth), .log_mass = log_mass};
}

}  // namespace fovea::ep
