// SPDX-License-Identifier: Apache-2.0
#include "fovea/ep/operators/pick.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "fovea/ep/operators/gate.h"
#include "fovea/ep/operators/moments.h"
#include "fovea/ep/operators/normal.h"

namespace fovea::ep {

Tilted PickOperator::tilted(std::size_t slot, std::span<const Message> incoming, Random&) const {
  const Message &y = incoming[0], &selector = incoming[1];
  const std::span<const Message> options = incoming.subspan(2);
  std::vector<double> log_masses;
  std::vector<Message> cases;  // of y
  for (const Message& option : options) {
    log_masses.push_back(log_overlap(option, y));
    cases.push_back(product(option, y));
  }
  const Gate gate(selector, std::move(log_masses), name());
  Tilted result = {.marginal = incoming[slot], .log_mass = gate.log_mass()};
  if (std::holds_alternative<Point>(incoming[slot])) return result;
  if (slot == 1) result.marginal = gate.marginal();
  else if (slot > 1) result.marginal = mixture(product(y, incoming[slot]), incoming[slot], gate.weight(slot - 2));
  else if (std::ranges::all_of(cases, is_proper)) result.marginal = mixture(cases, gate.weights(), child_);
  else result.marginal = product(mixture(options, probabilities_of(selector, options_), child_), y);
  return result;
}

std::array<Message, 3> PickNormalOperator::case_of(std::size_t k, std::span<const Message> messages) const {
  return {messages[0], messages[2 + k], messages[precision_slot(k)]};
}

std::optional<std::size_t> PickNormalOperator::place_in(std::size_t k, std::size_t slot) const {
  if (slot == 0) return 0;
  if (slot == 2 + k) return 1;
  if (slot == precision_slot(k)) return 2;
  return std::nullopt;
}

Tilted PickNormalOperator::tilted(std::size_t slot, std::span<const Message> incoming, Random& random) const {
  const NormalOperator normal;
  std::vector<double> log_masses;
  std::vector<Message> cases;  // the slot's marginal in each
  bool is_stand_in = false;
  for (std::size_t k = 0; k < means_; ++k) {
    const std::optional<std::size_t> place = place_in(k, slot);
    Tilted given = normal.tilted(place.value_or(0), case_of(k, incoming), random);
    is_stand_in = is_stand_in || (place && given.is_stand_in);
    log_masses.push_back(given.log_mass);
    cases.push_back(place ? std::move(given.marginal) : incoming[slot]);
  }
  const Gate gate(incoming[1], std::move(log_masses), name());
  Tilted result = {.marginal = incoming[slot], .log_mass = gate.log_mass()};
  if (std::holds_alternative<Point>(incoming[slot])) return result;
  if (slot == 1) {
    result.marginal = gate.marginal();
    return result;
  }
  result.is_stand_in = is_stand_in;
  result.marginal = mixture(cases, gate.weights(), slot == 0 ? Message(Gaussian()) : incoming[slot]);
  return result;
}

std::optional<Variational> PickNormalOperator::variational(std::size_t slot, std::span<const Message> marginals) const {
  const NormalOperator normal;
  const std::vector<double> weights = probabilities_of(marginals[1], means_);
  std::vector<double> scores;
  Variational result = {.message = slot < 2 + means_ ? Message(Gaussian()) : Gamma::from_shape_rate(1, 0)};
  for (std::size_t k = 0; k < means_; ++k) {
    const std::optional<std::size_t> place = place_in(k, slot);
    const Variational given = *normal.variational(place.value_or(0), case_of(k, marginals));
    scores.push_back(given.expected_log);
    result.expected_log += weights[k] * given.expected_log;
    // Each case counts by its probability.
    if (place) result.message = product(result.message, power(given.message, weights[k]));
  }
  if (slot == 1) result.message = selector_message(scores, std::holds_alternative<Bernoulli>(marginals[1]));
  return result;
}

Tilted PickCategoricalOperator::tilted(std::size_t slot, std::span<const Message> incoming, Random&) const {
  const std::size_t labels = std::get<Dirichlet>(incoming[2]).natural.size();
  const std::vector<double> told = probabilities_of(incoming[0], labels);  // of y, by all but this factor
  std::vector<std::vector<double>> joint;                                  // [row][label] E[row] told
  std::vector<double> log_masses;
  for (std::size_t k = 0; k < rows_; ++k) {
    joint.push_back(std::get<Dirichlet>(incoming[2 + k]).mean());
    double mass = 0;
    for (std::size_t y = 0; y < labels; ++y) mass += joint[k][y] *= told[y];
    log_masses.push_back(std::log(mass));
  }
  const Gate gate(incoming[1], log_masses, name());
  Tilted result = {.marginal = incoming[slot], .log_mass = gate.log_mass()};
  if (std::holds_alternative<Point>(incoming[slot])) return result;
  if (slot == 1) {
    result.marginal = gate.marginal();
    return result;
  }
  for (std::size_t k = 0; k < rows_; ++k)
    for (double& p : joint[k]) p *= gate.weight(k) > 0 ? gate.weight(k) / std::exp(log_masses[k]) : 0;
  if (slot == 0) {
    std::vector<double> marginal(labels);
    for (const std::vector<double>& row : joint)
      for (std::size_t y = 0; y < labels; ++y) marginal[y] += row[y];
    result.marginal = Categorical::from_probabilities(std::move(marginal));
    return result;
  }
  // One more count raises the digamma of the count n by 1 / n.
  const Dirichlet& row = std::get<Dirichlet>(incoming[slot]);
  const double weight = gate.weight(slot - 2);
  Dirichlet::Parameters statistics = row.expected_statistics();
  for (std::size_t y = 0; y < labels; ++y)
    statistics[y] += joint[slot - 2][y] / row.count(y) - weight / row.total_count();
  result.marginal = Dirichlet::from_expected_statistics(statistics);
  return result;
}

std::optional<Variational> PickCategoricalOperator::variational(std::size_t slot,
                                                                std::span<const Message> marginals) const {
  const std::size_t labels = std::get<Dirichlet>(marginals[2]).natural.size();
  const std::vector<double> told = probabilities_of(marginals[0], labels),
                            weights = probabilities_of(marginals[1], rows_);
  std::vector<double> of_label(labels), of_row(rows_);  // E[log row_k] summed over the other
  Variational result;
  for (std::size_t k = 0; k < rows_; ++k) {
    const Dirichlet::Parameters logarithms = std::get<Dirichlet>(marginals[2 + k]).expected_statistics();
    for (std::size_t y = 0; y < labels; ++y) {
      of_label[y] += weights[k] * logarithms[y];
      of_row[k] += told[y] * logarithms[y];
    }
    result.expected_log += weights[k] * of_row[k];
  }
  if (slot == 0) result.message = Categorical::from_scores(std::move(of_label));
  else if (slot == 1) result.message = selector_message(of_row, std::holds_alternative<Bernoulli>(marginals[1]));
  else {
    Dirichlet counts = Dirichlet::uniform(labels);
    for (std::size_t y = 0; y < labels; ++y) counts.natural[y] = weights[slot - 2] * told[y];
    result.message = std::move(counts);
  }
  return result;
}

}  // namespace fovea::ep
