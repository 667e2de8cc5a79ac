// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "fovea/base/run.h"
#include "fovea/graph/model/factor_graph.h"
#include "fovea/graph/model/reduction.h"
#include "fovea/graph/task/solve_options.h"
#include "fovea/graph/task/solve_result.h"

namespace fovea::graph {

/// Each of these takes out what evidence and constraints decide, plans, runs what is predicted to pay under the run's
/// limits, and puts the answer back together. Progress is reported when the score rises or the bound falls. All throw
/// InfeasibleError where no assignment agrees with evidence and constraints, LimitError where a limit ended the work
/// before there was any answer, CancelledError likewise for cancellation, and UsageError for what contradicts itself.

/// The likeliest assignment, with what is known of the best.
MapResult solve_map(const FactorGraph& graph, const Evidence& evidence = {}, const MapOptions& options = {},
                    const Run& run = {});

/// The marginals of every variable, given the evidence.
MarginalsResult solve_marginals(const FactorGraph& graph, const Evidence& evidence = {}, const SumOptions& options = {},
                                const Run& run = {});

/// The partition function: log of the sum over all assignments that agree with the evidence. Where there are none it is
/// -inf, exactly, instead of an InfeasibleError.
PartitionResult solve_partition(const FactorGraph& graph, const Evidence& evidence = {}, const SumOptions& options = {},
                                const Run& run = {});

/// The likeliest values of the variables in `query`, each named once and not observed, the others summed out.
MarginalMapResult solve_marginal_map(const FactorGraph& graph, const std::vector<VariableId>& query,
                                     const Evidence& evidence = {}, const MarginalMapOptions& options = {},
                                     const Run& run = {});

}  // namespace fovea::graph
