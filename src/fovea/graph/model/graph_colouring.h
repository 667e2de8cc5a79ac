// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "fovea/graph/model/factor_graph.h"

namespace fovea::graph {

/// Classes of variables, in each of which no two variables share a factor: those of one class can be resampled in any
/// order, or at once.
struct GraphColouring {
  std::vector<VariableId> order;     ///< all variables, class by class, ascending within each
  std::vector<std::uint32_t> begin;  ///< [class + 1]: where each begins in `order`

  std::size_t class_count() const { return begin.size() - 1; }
};

/// Greedy colouring, breadth first from variables with large blankets: makes at most one class more than the largest
/// blanket has variables, and two where two are enough, so that grids come out as their checkerboard. O(variables +
/// edges).
GraphColouring colour_graph(const FactorGraph& graph);

}  // namespace fovea::graph
