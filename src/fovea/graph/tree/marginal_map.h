// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <limits>
#include <span>

#include "fovea/base/assignment.h"
#include "fovea/base/random.h"
#include "fovea/base/run_control.h"
#include "fovea/graph/model/factor_graph.h"
#include "fovea/graph/tree/elimination_order.h"

namespace fovea::graph {

struct MarginalMapTreeOptions {
  double memory_limit = 4e9;     ///< bytes of messages
  double max_operations = 1e10;  ///< of the constrained order; beyond, query values are branched over
  std::uint64_t max_nodes = std::numeric_limits<std::uint64_t>::max();  ///< of the search
  EliminationOptions elimination = {};                                  ///< `last` is set by the method
};

/// The answer to a marginal MAP query.
struct MarginalMap {
  ScoredAssignment best = {};  ///< one value per query variable, in their order; score: log of the sum over the others
  double upper_bound = std::numeric_limits<double>::infinity();  ///< on the score of any values
  bool is_optimal = false;
  std::uint64_t nodes = 0;  ///< of the search; 0 if one junction tree answered
};

/// Finds the values of the query variables that maximise the sum over all others.
///
/// If a junction tree fits whose order eliminates the summed variables first, it answers at once. Otherwise depth-first
/// branch and bound runs over the query variables: every node conditions on some of them and is bounded by a tree of an
/// unconstrained order (Park and Darwiche 2003, "Solving MAP exactly using systematic search"); the value with the
/// highest bound goes first. A stop or `max_nodes` ends the search with the best found so far, which is not found() if
/// it came too early, and the highest bound left open.
///
/// Throws InfeasibleError if no assignment is feasible, LimitError if even the unconstrained tree does not fit or not
/// even that was computed in time, std::invalid_argument for a query that names a variable twice or outside the graph.
MarginalMap maximise_marginal(const FactorGraph& graph, std::span<const VariableId> query,
                              const MarginalMapTreeOptions& options, Random random, const Stop& stop = {});

}  // namespace fovea::graph
