// SPDX-License-Identifier: Apache-2.0
#include "fovea/ep/operators/categorical_label.h"

#include <utility>

#include "fovea/ep/operators/moments.h"

namespace fovea::ep {

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
  // A count more raises the digamma of the count n by 1 / n.
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

}  // namespace fovea::ep
