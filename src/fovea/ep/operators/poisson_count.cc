// SPDX-License-Identifier: Apache-2.0
#include "fovea/ep/operators/poisson_count.h"

#include <cmath>

#include "fovea/ep/operators/moments.h"

namespace fovea::ep {

Tilted PoissonOperator::tilted(std::size_t slot, std::span<const Message> incoming, Random&) const {
  const auto* known_y = std::get_if<Point>(&incoming[0]);
  const auto* known_rate = std::get_if<Point>(&incoming[1]);
  if (known_rate) {
    const Poisson told = Poisson::from_mean(known_rate->value);
    if (known_y) return {.marginal = incoming[slot], .log_mass = told.log_density(known_y->value)};
    const Poisson& y = std::get<Poisson>(incoming[0]);
    return {.marginal = slot == 1 ? incoming[1] : Message(told * y),
            .log_mass = (told * y).log_normalizer() - told.log_normalizer() - y.log_normalizer()};
  }
  const Gamma& rate = std::get<Gamma>(incoming[1]);
  if (known_y) {
    const Gamma marginal = rate * Gamma::from_shape_rate(known_y->value + 1, 1);
    return {.marginal = slot == 0 ? incoming[0] : Message(marginal),
            .log_mass = marginal.log_normalizer() - log_normalizer(incoming[1]) - std::lgamma(known_y->value + 1)};
  }
  const Poisson& y = std::get<Poisson>(incoming[0]);
  const double growth = std::exp(y.log_rate());  // the sum over y is exp(rate (growth - 1))
  const Gamma marginal = rate * Gamma::from_shape_rate(1, 1 - growth);
  const double log_mass =
      marginal.is_proper() ? marginal.log_normalizer() - log_normalizer(incoming[1]) - y.log_normalizer() : 0;
  if (slot == 1) return {.marginal = marginal, .log_mass = log_mass};
  return {.marginal = Poisson::from_mean(growth * marginal.mean()), .log_mass = log_mass};
}

std::optional<Variational> PoissonOperator::variational(std::size_t slot, std::span<const Message> marginals) const {
  const double y = mean_of(marginals[0]), rate = mean_of(marginals[1]);
  const double log_rate = expected_logarithm_of(marginals[1]);
  Variational result = {.expected_log = y * log_rate - rate};
  if (std::holds_alternative<Point>(marginals[0]))
    result.expected_log -= std::lgamma(y + 1);  // else the base measure's
  if (slot == 0) result.message = Poisson::from_log_rate(log_rate);
  else result.message = Gamma::from_shape_rate(y + 1, 1);
  return result;
}

}  // namespace fovea::ep
