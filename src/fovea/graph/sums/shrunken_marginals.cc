// SPDX-License-Identifier: Apache-2.0
#include "fovea/graph/sums/shrunken_marginals.h"

#include <algorithm>
#include <cstddef>

#include "fovea/mcmc/diagnostics.h"

namespace fovea::graph {
namespace {

constexpr double kSure = .99;  // of a variable that never moved, by messages

bool has_moved(const MarginalSampler::Answer& draws, std::size_t v) { return draws.trust[v].effective_samples > 0; }

bool are_to_trust(const MarginalSampler::Answer& draws, const std::vector<std::vector<double>>& messages) {
  if (mcmc::mixing_of(draws.max_r_hat, draws.min_effective_samples, true) != mcmc::Mixing::kMixed) return false;
  for (std::size_t v = 0; v < messages.size(); ++v) {
    if (has_moved(draws, v)) continue;
    const auto drawn =
        static_cast<std::size_t>(std::ranges::max_element(draws.marginals[v]) - draws.marginals[v].begin());
    if (!(messages[v][drawn] >= kSure)) return false;
  }
  return true;
}

/// The weight w of the messages.
double weight_of(const MarginalSampler::Answer& draws, const std::vector<std::vector<double>>& messages) {
  double noise = 0, difference = 0;
  for (std::size_t v = 0; v < messages.size(); ++v) {
    if (!has_moved(draws, v)) continue;
    noise += draws.trust[v].squared_error;
    for (std::size_t k = 0; k < messages[v].size(); ++k) {
      const double apart = messages[v][k] - draws.marginals[v][k];
      difference += apart * apart;
    }
  }
  return noise < difference ? noise / difference : 1;
}

}  // namespace

std::optional<ShrunkenMarginals> shrink_to_messages(const MarginalSampler::Answer& draws,
                                                    const std::vector<std::vector<double>>& messages) {
  if (!are_to_trust(draws, messages)) return std::nullopt;
  ShrunkenMarginals shrunken = {.marginals = messages, .weight_of_messages = weight_of(draws, messages)};
  for (std::size_t v = 0; v < messages.size(); ++v) {
    if (!has_moved(draws, v)) continue;
    for (std::size_t k = 0; k < messages[v].size(); ++k)
      shrunken.marginals[v][k] += (1 - shrunken.weight_of_messages) * (draws.marginals[v][k] - messages[v][k]);
  }
  return shrunken;
}

}  // namespace fovea::graph
