// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

#include "fovea/base/run.h"
#include "fovea/graph/task/tree_cost.h"
#include "fovea/graph/tree/cluster_tree.h"
#include "fovea/graph/tree/elimination_order.h"

namespace fovea::graph {

/// An elimination order with the junction tree it leads to, and whether that fits the limits.
struct EliminationPlan {
  EliminationOrder order = {};           ///< not found() if time ended first
  std::optional<ClusterTree> tree = {};  ///< unless the order is hopelessly wide
  double bytes = 0, seconds = 0;         ///< predicted for the goal
  bool fits = false;                     ///< the memory limit and the time left

  /// One line for the report.
  std::string describe() const;
};

/// Looks for an order for a small share of the time left, and predicts the cost of its tree on this machine. Where
/// only work is limited the prediction is that of one thread of another machine (tree_cost.h), so that plans are the
/// same everywhere.
EliminationPlan plan_elimination(const FactorGraph& graph, EliminationGoal goal, const Run& run);

}  // namespace fovea::graph
