// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <vector>

#include "fovea/synthesis/formula_search/dnf_search.h"
#include "fovea/synthesis/formula_search/formula_chain.h"

namespace fovea::synthesis {

/// The single chain that the options ask for, by its number of stages.
ChainPlan single_plan(const DnfSearchOptions& options);

/// A member of the portfolio: a chain over the comparisons of choices[choice].
struct PortfolioPlan {
  std::size_t choice;
  ChainPlan chain;
};

/// The choices of comparisons that a portfolio searches: all and, if both kinds exist, those of the box alone and those
/// of the templates alone.
std::vector<AtomChoice> portfolio_choices(const AtomChoice& choice);

/// The chains of a portfolio over this number of choices: formulas of full size, with several temperatures and restart
/// rates for each choice, and smaller ones, which are found sooner if they suffice. The first is that of the options.
std::vector<PortfolioPlan> portfolio_plans(const DnfSearchOptions& options, std::size_t choices);

}  // namespace fovea::synthesis
