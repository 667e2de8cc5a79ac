// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "fovea/graph/map/map_solver.h"
#include "fovea/graph/model/factor_graph.h"

namespace fovea::graph {

/// Finds the likeliest values of the query's variables, with the others summed out; best.score is log p(query values) +
/// log Z. Values of other variables are unspecified.
///
///   an exact junction tree, or branch and bound bounded by trees, where they fit;
///   else a local search over the query's values, whose sums are exact where the rest of the model falls into parts
///   that fit, and estimates elsewhere (QuerySums), with is_estimated set.
///
/// The search begins at what belief propagation decodes, or at the likeliest whole assignment found. Throws
/// InfeasibleError if it is proved that no assignment is possible, LimitError and CancelledError if none was found in
/// time or, with method kExact, nothing exact.
MapAnswer find_marginal_map(const FactorGraph& graph, const std::vector<VariableId>& query,
                            const MarginalMapOptions& options, const Run& run, SolveLog& log);

}  // namespace fovea::graph
