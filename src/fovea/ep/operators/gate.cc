// SPDX-License-Identifier: Apache-2.0
#include "fovea/ep/operators/gate.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "fovea/base/error.h"
#include "fovea/base/log_math.h"
#include "fovea/ep/operators/moments.h"
#include "fovea/ep/quadrature/moment_projection.h"

namespace fovea::ep {
namespace {

Message categorical_mixture(std::span<const Message> components, std::span<const double> weights, std::size_t size) {
  std::vector<double> mixed(size);
  for (std::size_t i = 0; i < components.size(); ++i) {
    const std::vector<double> probabilities = probabilities_of(components[i], size);
    for (std::size_t x = 0; x < size; ++x) mixed[x] += weights[i] * probabilities[x];
  }
  return Categorical::from_probabilities(std::move(mixed));
}

/// Mixture of components some of which may be Points.
Message scalar_mixture(std::span<const Message> components, std::span<const double> weights, const Message& like) {
  double centre = 0;
  for (std::size_t i = 0; i < components.size(); ++i) centre += weights[i] * mean_of(components[i]);
  const MomentProjection projection(like, centre);
  MomentProjection::Moments mixed = {};
  for (std::size_t i = 0; i < components.size(); ++i) {
    const auto* known = std::get_if<Point>(&components[i]);
    const MomentProjection::Moments moments = known ? projection.at(known->value) : projection.expected(components[i]);
    for (std::size_t k = 0; k < mixed.size(); ++k) mixed[k] += weights[i] * moments[k];
  }
  return projection.from(mixed);
}

}  // namespace

Gate::Gate(const Message& selector, std::vector<double> log_masses, std::string_view factor)
    : selector_(&selector), log_masses_(std::move(log_masses)), weights_(log_masses_.size()) {
  const std::vector<double> before = probabilities_of(selector, log_masses_.size());
  std::vector<double> scores(before.size());
  for (std::size_t k = 0; k < scores.size(); ++k) scores[k] = std::log(before[k]) + log_masses_[k];
  log_mass_ = log_sum(scores);
  if (!std::isfinite(log_mass_))
    throw InputError({},
                     fmt::format("factor '{}': none of its {} cases agrees with the incoming messages: zero mass",
                                 factor, scores.size()),
                     "See which message contradicts the selector or the observation");
  for (std::size_t k = 0; k < scores.size(); ++k) weights_[k] = std::exp(scores[k] - log_mass_);
}

Message Gate::marginal() const {
  return product(selector_message(log_masses_, std::holds_alternative<Bernoulli>(*selector_)), *selector_);
}

Message mixture(std::span<const Message> components, std::span<const double> weights, const Message& like) {
  std::vector<Message> held;
  std::vector<double> shares;
  for (std::size_t i = 0; i < components.size(); ++i) {
    if (!(weights[i] > 0)) continue;
    held.push_back(components[i]);
    shares.push_back(weights[i]);
  }
  FOVEA_CHECK(!held.empty());
  if (std::ranges::all_of(held, [&](const Message& one) { return one == held[0]; })) return held[0];
  if (const auto* categorical = std::get_if<Categorical>(&like))
    return categorical_mixture(held, shares, categorical->natural.size());
  const auto is_point = [](const Message& one) { return std::holds_alternative<Point>(one); };
  if (std::ranges::any_of(held, is_point)) return scalar_mixture(held, shares, like);
  return moment_average(held, shares).message;
}

Message mixture(const Message& first, const Message& second, double weight) {
  const Message& like = std::holds_alternative<Point>(first) ? second : first;
  return mixture(std::array{first, second}, std::array{weight, 1 - weight}, like);
}

Message selector_message(const std::vector<double>& scores, bool is_truth) {
  if (is_truth) return Bernoulli::from_log_odds(scores[1] - scores[0]);
  std::vector<double> shifted = scores;
  const double best = *std::ranges::max_element(scores);
  for (double& score : shifted) score -= best;
  return Categorical::from_scores(std::move(shifted));
}

}  // namespace fovea::ep
