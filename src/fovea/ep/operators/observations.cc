// SPDX-License-Identifier: Apache-2.0
#include "fovea/ep/operators/observations.h"

#include <cmath>
#include <utility>

#include "fovea/ep/operators/moments.h"

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

Tilted CategoricalOperator::tilted(std::size_t slot, std::span<const Message> incoming, Random&) const {
  const Dirichlet& p = std::get<Dirichlet>(incoming[1]);
  const Categorical told = Categorical::from_probabilities(p.mean());
  if (const auto* known = std::get_if<Point>(&incoming[0])) {
    const auto label = static_cast<std::size_t>(known->value);
    Tilted result = {.marginal = incoming[slot], .log_mass = told.natural[label]};
    if (slot == 1) std::get<Dirichlet>(result.marginal).natural[label] += 1;
    return result;
  }
  const Categorical& y = std::get<Categorical>(incoming[0]);
  const Categorical marginal = told * y;
  const double log_mass = marginal.log_normalizer() - y.log_normalizer();
  if (slot == 0) return {.marginal = marginal, .log_mass = log_mass};
  // One more count raises the digamma of the count n by 1 / n.
  const std::vector<double> weights = marginal.expected_statistics();
  Dirichlet::Parameters statistics = p.expected_statistics();
  for (std::size_t k = 0; k < weights.size(); ++k) statistics[k] += weights[k] / p.count(k) - 1 / p.total_count();
  return {.marginal = Dirichlet::from_expected_statistics(statistics), .log_mass = log_mass};
}

std::optional<Variational> CategoricalOperator::variational(std::size_t slot,
                                                            std::span<const Message> marginals) const {
  std::vector<double> logarithms = std::get<Dirichlet>(marginals[1]).expected_statistics();
  std::vector<double> labels = probabilities_of(marginals[0], logarithms.size());
  Variational result;
  for (std::size_t k = 0; k < labels.size(); ++k) result.expected_log += labels[k] * logarithms[k];
  if (slot == 0) result.message = Categorical::from_scores(std::move(logarithms));
  else result.message = Dirichlet{{std::move(labels)}};
  return result;
}

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
    result.expected_log -= std::lgamma(y + 1);  // else part of the base measure
  if (slot == 0) result.message = Poisson::from_log_rate(log_rate);
  else result.message = Gamma::from_shape_rate(y + 1, 1);
  return result;
}

}  // namespace fovea::ep
