// SPDX-License-Identifier: Apache-2.0
#include "fovea/synthesis/formula_search/formula_chain.h"

#include <algorithm>
#include <limits>

namespace fovea::synthesis {
namespace {

constexpr std::uint64_t kForever = std::numeric_limits<std::uint64_t>::max();

std::optional<mcmc::StageRuns> stage_runs(const ChainPlan& plan) {
  const std::optional<mcmc::StageGraph> graph = stage_graph(plan);
  return graph ? std::optional(mcmc::StageRuns(*graph)) : std::nullopt;
}

}  // namespace

std::optional<mcmc::StageGraph> stage_graph(const ChainPlan& plan) {
  switch (plan.stages) {
    case ChainPlan::Stages::kNoRestarts:
      return std::nullopt;
    case ChainPlan::Stages::kRestarts:
      return mcmc::StageGraph::restarts(plan.full_rate);
    case ChainPlan::Stages::kSimplifiedFirst:
      return mcmc::StageGraph::cycle(std::vector<double>{1, plan.simplified_rate, plan.full_rate});
  }
  return std::nullopt;
}

FormulaChain::FormulaChain(AtomSets& sets, const ChainPlan& plan, const Random& random)
    : sets_(&sets),
      plan_(plan),
      random_(random),
      kernel_(sets, plan.terms, plan.atoms),
      formula_(sets.space(), plan.terms, plan.atoms),
      stages_(stage_runs(plan)),
      simplified_costs_{.is_simplified = true, .wrong = static_cast<unsigned>(plan.terms), .incomplete = 1},
      acceptance_(plan.temperature),
      simplified_acceptance_(plan.temperature * static_cast<double>(plan.terms)) {
  draw_formula(sets.space(), formula_, random_);
}

std::uint64_t FormulaChain::run(std::uint64_t steps) {
  std::uint64_t taken = 0;
  while (taken < steps && best_.cost > 0) {
    if (left_.steps == 0) left_ = next_stage();
    const std::uint64_t moved = move(std::min(steps - taken, left_.steps));
    left_.steps -= moved;
    taken += moved;
  }
  return taken;
}

mcmc::StageRuns::Run FormulaChain::next_stage() {
  return stages_ ? stages_->next(random_) : mcmc::StageRuns::Run{.stage = 1, .steps = kForever};
}

/// Takes the given number of steps of the present stage, or fewer if the full cost becomes 0. Returns those taken.
std::uint64_t FormulaChain::move(std::uint64_t steps) {
  if (left_.stage == 0) {
    draw_formula(sets_->space(), formula_, random_);
    restarts_ += steps;
    return steps;
  }
  if (!is_simplified(left_.stage)) return kernel_.run(formula_, {}, acceptance_, steps, random_, best_).steps;
  kernel_.run(formula_, simplified_costs_, simplified_acceptance_, steps, random_, best_);
  return steps;  // where the simplified cost is 0, the chain waits for the next stage
}

bool FormulaChain::is_simplified(std::size_t stage) const {
  return plan_.stages == ChainPlan::Stages::kSimplifiedFirst && stage == 1;
}

Dnf FormulaChain::best_formula() const {
  FormulaState formula = formula_;
  formula.slots = best_.slots;
  return formula_of(sets_->space(), formula);
}

}  // namespace fovea::synthesis
