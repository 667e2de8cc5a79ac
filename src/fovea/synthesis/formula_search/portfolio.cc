// SPDX-License-Identifier: Apache-2.0
#include "fovea/synthesis/formula_search/portfolio.h"

#include <algorithm>
#include <utility>

namespace fovea::synthesis {

namespace {

/// Factors of a chain's temperature and of its probability of a restart: chains that move about restart rarely.
struct PlanVariant {
  double temperature, restarts;
};
ChainPlan::Stages stages_of(SearchStages stages) {
  switch (stages) {
    case SearchStages::kNoRestarts:
      return ChainPlan::Stages::kNoRestarts;
    case SearchStages::kRestarts:
      return ChainPlan::Stages::kRestarts;
    default:
      return ChainPlan::Stages::kSimplifiedFirst;  // also for the chains of a portfolio
  }
}

constexpr PlanVariant kVariants[] = {{1, 1}, {1, .01}, {.6, .1}, {1.7, .1}};

}  // namespace

ChainPlan single_plan(const DnfSearchOptions& options) {
  return {.terms = static_cast<std::size_t>(options.terms),
          .atoms = static_cast<std::size_t>(options.atoms),
          .stages = stages_of(options.stages),
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
  std::vector<PortfolioPlan> plans;
  for (std::size_t choice = 0; choice < choices; ++choice)
    for (const auto& [temperature_factor, restart_factor] : kVariants) {
      plans.push_back({.choice = choice, .chain = largest});
      plans.back().chain.temperature *= temperature_factor;
      plans.back().chain.full_rate *= restart_factor;
    }
  using Size = std::pair<std::size_t, std::size_t>;
  std::vector<Size> sizes = {{largest.terms, largest.atoms}};
  for (const Size& size :
       {Size{1, largest.atoms}, Size{largest.terms, 1}, Size{(largest.terms + 1) / 2, largest.atoms}}) {
    if (std::ranges::find(sizes, size) != sizes.end()) continue;
    sizes.push_back(size);
    plans.push_back({.choice = 0, .chain = largest});
    plans.back().chain.terms = size.first;
    plans.back().chain.atoms = size.second;
  }
  return plans;
}

}  // namespace fovea::synthesis
