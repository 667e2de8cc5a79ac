// SPDX-License-Identifier: Apache-2.0
#include "fovea/graph/sums/shrunken_marginals.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <span>

#include "fovea/mcmc/diagnostics.h"

namespace fovea::graph {
namespace {

constexpr double kSure = .99;         // of a variable that never moved, by messages
constexpr double kEnoughMixed = .99;  // of the variables

bool has_moved(const MarginalSampler::Trust& trust) { return trust.effective_samples > 0; }

/// True if nothing about the draws of one variable is suspicious.
bool is_plausible(const MarginalSampler::Trust& trust, std::span<const double> drawn, std::span<const double> message) {
  if (has_moved(trust)) return mcmc::mixing_of(trust.r_hat, trust.effective_samples, true) == mcmc::Mixing::kMixed;
  const auto only = static_cast<std::size_t>(std::ranges::max_element(drawn) - drawn.begin());
  return message[only] >= kSure;
}

bool are_to_trust(const MarginalSampler::Answer& draws, const std::vector<std::vector<double>>& messages) {
  std::size_t plausible = 0;
  for (std::size_t v = 0; v < messages.size(); ++v)
    plausible += is_plausible(draws.trust[v], draws.marginals[v], messages[v]);
  return static_cast<double>(plausible) >= kEnoughMixed * static_cast<double>(messages.size());
}

double distance(std::span<const double> a, std::span<const double> b) {
  double sum = 0;
  for (std::size_t k = 0; k < a.size(); ++k) sum += (a[k] - b[k]) * (a[k] - b[k]);
  return std::sqrt(sum);
}

/// The weight w of the messages.
double weight_of(const MarginalSampler::Answer& draws, const std::vector<std::vector<double>>& messages) {
  double noise = 0, difference = 0;
  for (std::size_t v = 0; v < messages.size(); ++v) {
    if (!has_moved(draws.trust[v])) continue;
    noise += draws.trust[v].squared_error;
    const double apart = distance(draws.marginals[v], messages[v]);
    difference += apart * apart;
  }
  return noise < difference ? noise / difference : 1;
}

}  // namespace

std::optional<ShrunkenMarginals> shrink_to_messages(const MarginalSampler::Answer& draws,
                                                    const std::vector<std::vector<double>>& messages) {
  if (!are_to_trust(draws, messages)) return std::nullopt;
  ShrunkenMarginals shrunken = {.marginals = messages, .weight_of_messages = weight_of(draws, messages)};
  for (std::size_t v = 0; v < messages.size(); ++v) {
    if (!has_moved(draws.trust[v])) continue;
    const double farthest = std::sqrt(draws.trust[v].squared_error), apart = distance(draws.marginals[v], messages[v]);
    const double weight =
        shrunken.weight_of_messages * apart > farthest ? farthest / apart : shrunken.weight_of_messages;
    for (std::size_t k = 0; k < messages[v].size(); ++k)
      shrunken.marginals[v][k] += (1 - weight) * (draws.marginals[v][k] - messages[v][k]);
  }
  return shrunken;
}

}  // namespace fovea::graph
