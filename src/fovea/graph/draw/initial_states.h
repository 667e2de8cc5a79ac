// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <vector>

#include "fovea/base/assignment.h"
#include "fovea/base/run.h"
#include "fovea/graph/model/factor_graph.h"

namespace fovea::graph {

/// Where Markov chains begin: `count` assignments of positive probability, far apart from each other where that is
/// easy. A random assignment where it breaks no hard constraint; else the answer of a short search of its own. Throws
/// as solve_map does where there is none.
std::vector<Assignment> find_initial_states(const FactorGraph& graph, std::size_t count, const Run& run);

}  // namespace fovea::graph
