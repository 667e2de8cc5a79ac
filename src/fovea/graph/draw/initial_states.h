// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <vector>

#include "fovea/base/assignment.h"
#include "fovea/base/run.h"
#include "fovea/graph/model/factor_graph.h"

namespace fovea::graph {

/// Finds starts for Markov chains: `count` assignments of positive probability, far apart from each other where that is
/// easy. Each is a random assignment if that breaks no hard constraint, and otherwise the answer of a separate short
/// search. Throws like solve_map if no assignment is possible.
std::vector<Assignment> find_initial_states(const FactorGraph& graph, std::size_t count, const Run& run);

}  // namespace fovea::graph
