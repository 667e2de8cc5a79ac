// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "fovea/graph/model/factor_graph.h"

namespace fovea::graph {

/// Reads every factor as an arrow from the other variables of its scope to the last one. Returns a cycle of such arrows
/// (each variable is a parent of the next, the last of the first), or nothing if the graph has no cycle.
std::vector<VariableId> find_directed_cycle(const FactorGraph& graph);

}  // namespace fovea::graph
