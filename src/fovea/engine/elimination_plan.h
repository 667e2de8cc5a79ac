// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

#include "fovea/engine/solve.h"
#include "fovea/exact/cluster_tree.h"
#include "fovea/exact/elimination_order.h"

namespace fovea {

/// What a junction tree will be used for: they need different tables.
enum class EliminationGoal { kMaximum, kPartition, kMarginals };

/// An elimination order with the junction tree it leads to, and whether that fits the limits.
struct EliminationPlan {
  EliminationOrder order = {};           ///< not found() where time ended first
  std::optional<ClusterTree> tree = {};  ///< unless the order is hopelessly wide
  double bytes = 0, seconds = 0;         ///< predicted for the goal
  bool fits = false;                     ///< the memory limit and the time left

  /// One line for the report.
  std::string describe() const;
};

/// Looks for an order for a small share of the time left, and predicts what its tree costs.
/// seconds = operations * 2e-9, as measured on tables beyond the caches; marginals cost about four upward passes.
EliminationPlan plan_elimination(const FactorGraph& graph, EliminationGoal goal, const SolveLimits& limits,
                                 const Random& random);

}  // namespace fovea
