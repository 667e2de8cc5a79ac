// SPDX-License-Identifier: Apache-2.0
#include "fovea/synthesis/search/portfolio.h"

#include <algorithm>
#include <utility>

namespace fovea {

ChainPlan single_plan(const DnfSearchOptions& options) {
  return {.terms = static_cast<std::size_t>(options.terms),
          .atoms = static_cast<std::size_t>(options.atoms),
          .stages = options.stages == "0"   ? ChainPlan::Stages::kNoRestarts
                    : options.stages == "1" ? ChainPlan::Stages::kRestarts
                                            : ChainPlan::Stages::kSimplifiedFirst,
          .temperature = options.temperature,
          .simplified_rate = options.simple_rate,
          .full_rate = options.full_rate};
}

std::vector<AtomChoice> portfolio_choices(const AtomChoice& choice) {
  std::vector<AtomChoice> choices = {choice};
  const bool has_templates = choice.octagons || !choice.forms.empty();
  if (!has_templates || choice.coefficient_range == 0) return choices;
  AtomChoice box = choice, templates = choice;
  box.forms.clear();
  box.octagons = box.equations = false;
  templates.coefficient_range = 0;
  choices.push_back(std::move(box));
  choices.push_back(std::move(templates));
  return choices;
}

std::vector<PortfolioPlan> portfolio_plans(const DnfSearchOptions& options, std::size_t choices) {
  const ChainPlan largest = single_plan(options);
  std::vector<std::pair<std::size_t, std::size_t>> sizes = {
      {largest.terms, largest.atoms}, {1, largest.atoms}, {largest.terms, 1}, {(largest.terms + 1) / 2, largest.atoms}};
  std::vector<PortfolioPlan> plans;
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    if (std::find(sizes.begin(), sizes.begin() + static_cast<std::ptrdiff_t>(i), sizes[i]) !=
        sizes.begin() + static_cast<std::ptrdiff_t>(i))
      continue;
    for (std::size_t choice = 0; choice < choices; ++choice)
      for (double factor : {.5, 1., 2.}) {
        ChainPlan plan = largest;
        plan.terms = sizes[i].first;
        plan.atoms = sizes[i].second;
        plan.temperature *= factor;
        plans.push_back({.choice = choice, .chain = plan});
      }
  }
  return plans;
}

}  // namespace fovea
