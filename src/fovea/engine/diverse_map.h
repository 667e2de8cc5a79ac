// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "fovea/engine/solve.h"
#include "fovea/engine/solve_log.h"

namespace fovea {

/// `request.options.diverse` assignments of high score of which any two differ in at least `request.options.distance`
/// variables, best first, `best` among them; fewer where no more were found within the limits.
///
/// Greedy, as M-best diversity is commonly approached (Batra et al. 2012): each further answer maximises the score
/// minus `penalty` for every variable on which it agrees with an earlier one; the penalty is doubled until the answer
/// is far enough from all, then halved in on. The answers are good, not proved best.
std::vector<ScoredAssignment> find_diverse(const FactorGraph& graph, const ScoredAssignment& best,
                                           const SolveRequest& request, SolveLog& log);

}  // namespace fovea
