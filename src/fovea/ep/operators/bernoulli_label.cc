// SPDX-License-Identifier: Apache-2.0
#include "fovea/ep/operators/bernoulli_label.h"

#include <cmath>

namespace fovea::ep {
namespace {

/// E[log p], E[log(1 - p)].
Beta::Parameters expected_logarithms(const Message& p) {
  if (const auto* known = std::get_if<Point>(&p)) return {std::log(known->value), std::log1p(-known->value)};
  return std::get<Beta>(p).expected_statistics();
}

}  // namespace

Tilted BernoulliOperator::tilted(std::size_t slot, std::span<const Message> incoming, Random&) const {
  const bool is_proper_p = is_proper(incoming[1]);
  const double mean = is_proper_p ? mean_of(incoming[1]) : 0;
  const Beta is_true = Beta::from_counts(2, 1), is_false = Beta::from_counts(1, 2);
  if (const auto* known = std::get_if<Point>(&incoming[0])) {
    const bool y = known->value != 0;
    const Message told = product(incoming[1], y ? is_true : is_false);
    return {.marginal = slot == 0 ? incoming[0] : told,
            .log_mass = is_proper_p ? (y ? std::log(mean) : std::log1p(-mean)) : log_normalizer(told)};
  }
  if (!is_proper_p) return {.marginal = incoming[slot]};
  const Bernoulli& y = std::get<Bernoulli>(incoming[0]);
  const Bernoulli told = Bernoulli::from_probability(mean), marginal = told * y;
  const double log_mass = marginal.log_normalizer() - told.log_normalizer() - y.log_normalizer();
  if (slot == 0) return {.marginal = marginal, .log_mass = log_mass};
  const auto* p = std::get_if<Beta>(&incoming[1]);
  if (!p) return {.marginal = incoming[1], .log_mass = log_mass};
  const double weight = marginal.probability();
  const Beta one = *p * is_true, other = *p * is_false;
  const double mixed = weight * one.mean() + (1 - weight) * other.mean();
  const auto square = [&](const Beta& part) { return part.variance() + (part.mean() - mixed) * (part.mean() - mixed); };
  return {.marginal = Beta::from_mean_variance(mixed, weight * square(one) + (1 - weight) * square(other)),
          .log_mass = log_mass};
}

std::optional<Variational> BernoulliOperator::variational(std::size_t slot, std::span<const Message> marginals) const {
  const double y = mean_of(marginals[0]);
  const auto [is_true, is_false] = expected_logarithms(marginals[1]);
  Variational result = {.expected_log = y * is_true + (1 - y) * is_false};
  if (slot == 0) result.message = Bernoulli::from_log_odds(is_true - is_false);
  else result.message = Beta::from_counts(1 + y, 2 - y);
  return result;
}

}  // namespace fovea::ep
