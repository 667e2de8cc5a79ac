// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>

#include "fovea/base/random.h"
#include "fovea/mcmc/restart/stage_graph.h"
#include "fovea/mcmc/restart/stage_runs.h"
#include "fovea/synthesis/formula_search/formula_kernel.h"

namespace fovea::synthesis {

/// Plan by which a chain looks for a formula.
struct ChainPlan {
  enum class Stages : std::uint8_t { kNoRestarts, kRestarts, kSimplifiedFirst };  ///< the paper's 0, 1 and 2 stages

  std::size_t terms = 3, atoms = 3;
  Stages stages = Stages::kSimplifiedFirst;
  double temperature = .35;                         ///< in examples violated
  double simplified_rate = .04, full_rate = .0002;  ///< probability that a step ends the stage of this cost
};

/// The stages of the plan, as in Figure 2 of the paper; none without restarts.
std::optional<mcmc::StageGraph> stage_graph(const ChainPlan& plan);

/// A staged strong Doeblin chain over formulas, stopped when a formula violates no example (Steinhardt and Liang 2015,
/// sections 3.1 and 5):
///
///   stage 0   a formula drawn afresh
///   stage 1   Metropolis-Hastings with the simplified cost, if the plan asks for it
///   the last  Metropolis-Hastings with the full cost
class FormulaChain {
 public:
  /// `sets` must outlive it.
  FormulaChain(AtomSets& sets, const ChainPlan& plan, const Random& random);

  /// Notes that the sets have changed: the chain goes on from its present formula.
  void notice_examples() { best_ = {}; }

  /// Takes the given number of steps, or fewer if a formula violates no example, which is then best(). Returns those
  /// taken.
  std::uint64_t run(std::uint64_t steps);

  const ChainPlan& plan() const { return plan_; }
  const BestFormula& best() const { return best_; }  ///< since the examples changed
  Dnf best_formula() const;
  std::uint64_t restarts() const { return restarts_; }

 private:
  std::uint64_t move(std::uint64_t steps);
  mcmc::StageRuns::Run next_stage();
  bool is_simplified(std::size_t stage) const;

  AtomSets* sets_;
  ChainPlan plan_;
  Random random_;
  FormulaKernel kernel_;
  FormulaState formula_;
  std::optional<mcmc::StageRuns> stages_;
  mcmc::StageRuns::Run left_ = {};  // of the present stage
  FormulaCosts simplified_costs_;
  Acceptance acceptance_, simplified_acceptance_;
  BestFormula best_;
  std::uint64_t restarts_ = 0;
};

}  // namespace fovea::synthesis
