// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <utility>
#include <vector>

#include "fovea/base/run_control.h"
#include "fovea/graph/simplify/mutable_graph.h"

namespace fovea::graph {

/// Which values of a variable an optimal assignment may need. Values are positions in MutableGraph::values.
struct ValueComparison {
  std::vector<Value> kept = {};                         ///< ascending; empty: no value is possible
  std::vector<std::pair<Value, Value>> dominated = {};  ///< (value, another that is never worse), in order of removal
};

/// Leaves out the values that a factor of v excludes, and those that another value dominates, whatever the neighbours
/// are (the inequality is in simplify_max.h). Looks at no further pair once `stop` is requested.
ValueComparison compare_values(const MutableGraph& graph, VariableId v, const Stop& stop);

}  // namespace fovea::graph
