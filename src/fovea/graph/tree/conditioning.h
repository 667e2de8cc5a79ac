// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <limits>
#include <optional>
#include <span>
#include <vector>

#include "fovea/base/assignment.h"
#include "fovea/base/random.h"
#include "fovea/base/run_control.h"
#include "fovea/graph/model/factor_graph.h"
#include "fovea/graph/tree/cluster_tree.h"
#include "fovea/graph/tree/elimination_order.h"
#include "fovea/graph/tree/junction_tree.h"

namespace fovea::graph {

struct ConditioningOptions {
  double memory_limit = 4e9;  ///< bytes of messages; the cutset grows until marginal_bytes() is within it
  double max_operations = std::numeric_limits<double>::infinity();  ///< gives up if more are predicted
  EliminationOptions elimination = {};                              ///< `skipped` is what the cutset starts from
};

/// Exact answers where a junction tree would not fit: for each joint value of a few variables, the cutset, the tree of
/// the other variables gives an answer, and the answers are added up or compared (Pearl 1988, section 4.3; Dechter
/// 1996, "Topological parameters for time-space tradeoff"). One tree serves all joint values. With an empty cutset this
/// is the junction tree itself.
class CutsetConditioning {
 public:
  /// Chooses the cutset greedily: the variable without which the clusters of the order at hand have the fewest entries,
  /// then a new order; no table is allocated. Returns nothing as soon as more than max_operations are predicted. Keeps
  /// a reference to the graph. Throws LimitError if stopped.
  static std::optional<CutsetConditioning> plan(const FactorGraph& graph, const ConditioningOptions& options,
                                                Random random, const Stop& stop = {});

  std::span<const VariableId> cutset() const { return cutset_; }
  const ClusterTree& tree() const { return tree_; }
  /// Number of joint values of the cutset.
  double cases() const { return joint_values_; }
  /// Operations of all upward passes together.
  double operations() const { return joint_values_ * tree_.operations(); }

  /// As in JunctionTree.
  double log_partition(const Stop& stop = {}) const;
  ScoredAssignment maximise(const Stop& stop = {}) const;
  GraphMarginals marginals(const Stop& stop = {}) const;

 private:
  CutsetConditioning(const FactorGraph& graph, std::vector<VariableId> cutset, ClusterTree tree);

  /// Calls visit(conditions) for every joint value of the cutset.
  template <class Visit>
  void for_each_condition(const Visit& visit) const;

  const FactorGraph* graph_;
  std::vector<VariableId> cutset_;
  ClusterTree tree_;
  double joint_values_ = 1;
};

}  // namespace fovea::graph
