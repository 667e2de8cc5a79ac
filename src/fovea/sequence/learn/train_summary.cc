// SPDX-License-Identifier: Apache-2.0
#include "fovea/sequence/learn/train_summary.h"

#include <fmt/format.h>

#include <cmath>

namespace fovea::sequence {

std::string TrainSummary::brief() const {
  if (termination == optimize::Termination::kNotRun) return "training: not run";
  std::string line = fmt::format("training: {} after {} {} iterations, {:.2f} s", optimize::to_string(termination),
                                 last.iteration, last.phase, seconds);
  if (std::isnan(last.objective)) line += ", objective unknown";
  else if (counts_errors) line += fmt::format(", sampled label errors {:.4f}", last.objective);
  else if (last.objective_error)
    line += fmt::format(", log-likelihood of an item {:.5f} +- {:.5f}", -last.objective, 1.96 * *last.objective_error);
  else if (last.gap)
    line += fmt::format(", objective {:.8g}, at most {:.3g} above the minimum", last.objective, *last.gap);
  else line += fmt::format(", objective {:.8g}, |gradient| {:.3g}", last.objective, last.gradient_norm);
  if (last.dev_score) line += fmt::format(", dev score {:.4f}", *last.dev_score);
  return line;
}

std::string TrainSummary::full() const {
  std::string text = brief() + "\n";
  if (termination == optimize::Termination::kNotRun) return text;
  const auto row = [&](std::string_view name, std::string_view given, std::string_view used) {
    text += fmt::format("  {:<12} {:<10} {}\n", name, given, used);
  };
  row("", "Given", "Used");
  row("gradient", given_gradient, used_gradient);
  row("optimizer", given_optimizer, used_optimizer);
  if (restart_rate > 0)
    row("restart rate", given_restart_rate > 0 ? fmt::format("{:.4g}", given_restart_rate) : "learned",
        fmt::format("{:.4g}", restart_rate));
  text += fmt::format("  sequences {}, items {}, attributes {}\n", sequences, items, attributes);
  text += fmt::format("  features {} of attributes, {} label n-grams, {} not zero\n", pair_features, ngram_features,
                      nonzero);
  for (const TrainingPhase& phase : phases)
    text += fmt::format("  {:<12} {:>6} iterations {:>6} evaluations {:>9.3f} s\n", phase.name, phase.iterations,
                        phase.evaluations, phase.seconds);
  return text;
}

}  // namespace fovea::sequence
