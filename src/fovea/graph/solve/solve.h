// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "fovea/graph/task/solve_request.h"

namespace fovea::graph {

/// Answers it: takes out what evidence and constraints decide, plans, runs what is predicted to pay under the limits,
/// and puts the answer back together. Throws InfeasibleError where no assignment agrees with evidence and constraints,
/// LimitError where a limit ended the work before there was any answer, CancelledError likewise for cancellation, and
/// UsageError for a request that contradicts itself.
SolveResult solve(const SolveRequest& request);

}  // namespace fovea::graph
