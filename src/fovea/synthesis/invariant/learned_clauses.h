// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "fovea/base/random.h"
#include "fovea/base/run_control.h"
#include "fovea/synthesis/formula/dnf.h"
#include "fovea/synthesis/invariant/candidate_clauses.h"
#include "fovea/synthesis/program/invariant_problem.h"
#include "fovea/synthesis/program/term.h"

namespace fovea::synthesis {

struct LearnedClauses {
  std::vector<Clause> inductive = {};  ///< together, at every state of every run
  std::vector<Clause> proving = {};    ///< some of these that prove the program by themselves; empty if none do
};

/// Looks for what a search for one formula finds hard: many conditions that hold at once. Candidates hold in the states
/// of a few runs; the inductive ones are kept. Those that the program states come first, then bounds, then bounds under
/// conditions, until they prove the program. `system`: the problem's loop, perhaps with more variables.
LearnedClauses learn_clauses(const TransitionSystem& system, const InvariantProblem& problem,
                             const MinedMaterial& material, const Stop& stop, Random random);

}  // namespace fovea::synthesis
