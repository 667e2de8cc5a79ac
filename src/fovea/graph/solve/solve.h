// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "fovea/base/run.h"
#include "fovea/graph/model/factor_graph.h"
#include "fovea/graph/model/reduction.h"
#include "fovea/graph/task/solve_options.h"
#include "fovea/graph/task/solve_result.h"

namespace fovea::graph {

/// Each of these functions takes out what evidence and constraints decide, plans, runs what is predicted to pay within
/// the limits of the run, and puts the answer back together. Progress is reported when the score rises or the bound
/// falls. All throw InfeasibleError if no assignment agrees with evidence and constraints, LimitError if a limit ended
/// the work before there was any answer, CancelledError likewise for cancellation, and UsageError for arguments that
/// contradict each other.

/// Finds the likeliest assignment, with a bound on the best score.
MapResult solve_map(const FactorGraph& graph, const Evidence& evidence = {}, const MapOptions& options = {},
                    const Run& run = {});

/// Finds the marginals of every variable, given the evidence.
MarginalsResult solve_marginals(const FactorGraph& graph, const Evidence& evidence = {}, const SumOptions& options = {},
                                const Run& run = {});

/// Finds the partition function: log of the sum over all assignments that agree with the evidence. If no assignment
/// does, it is -inf, exactly, instead of an InfeasibleError.
PartitionResult solve_partition(const FactorGraph& graph, const Evidence& evidence = {}, const SumOptions& options = {},
                                const Run& run = {});

/// Finds the likeliest values of the variables in `query`, each named once and not observed, with the others summed
/// out.
MarginalMapResult solve_marginal_map(const FactorGraph& graph, const std::vector<VariableId>& query,
                                     const Evidence& evidence = {}, const MarginalMapOptions& options = {},
                                     const Run& run = {});

}  // namespace fovea::graph
