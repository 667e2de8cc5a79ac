// SPDX-License-Identifier: Apache-2.0
#include "fovea/message/operators/bernoulli_label.h"

#include <cmath>

namespace fovea::message {

Tilted BernoulliOperator::tilted(std::size_t slot, std::span<const Message> incoming, Random&) const {
  const Beta& p = std::get<Beta>(incoming[1]);
  const Beta is_true = Beta::from_counts(2, 1), is_false = Beta::from_counts(1, 2);
  if (const auto* known = std::get_if<Point>(&incoming[0])) {
    const bool y = known->value != 0;
    return {.marginal = slot == 0 ? incoming[0] : Message(p * (y ? is_true : is_false)),
            .log_mass = std::log(y ? p.mean() : 1 - p.mean())};
  }
  const Bernoulli& y = std::get<Bernoulli>(incoming[0]);
  const Bernoulli told = Bernoulli::from_log_odds(std::log(p.a() / p.b())), marginal = told * y;
  const double log_mass = marginal.log_normalizer() - told.log_normalizer() - y.log_normalizer();
  if (slot == 0) return {.marginal = marginal, .log_mass = log_mass};
  const double weight = marginal.probability();
  const Beta one = p * is_true, other = p * is_false;
  const double mean = weight * one.mean() + (1 - weight) * other.mean();
  const auto square = [&](const Beta& part) { return part.variance() + (part.mean() - mean) * (part.mean() - mean); };
  return {.marginal = Beta::from_mean_variance(mean, weight * square(one) + (1 - weight) * square(other)),
          .log_mass = log_mass};
}

}  // namespace fovea::message
