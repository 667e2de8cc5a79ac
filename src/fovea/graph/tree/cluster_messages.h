// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "fovea/base/random.h"
#include "fovea/base/run_control.h"
#include "fovea/base/task_forest.h"
#include "fovea/graph/model/factor_graph.h"
#include "fovea/graph/tree/cluster_cut.h"
#include "fovea/graph/tree/cluster_tree.h"
#include "fovea/graph/tree/combine_tables.h"
#include "fovea/graph/tree/table_rows.h"

namespace fovea::graph::internal {

/// Way in which the own variables of clusters are eliminated.
enum class Elimination { kSum, kMax, kAsMarked };

/// The messages of one cluster tree under one set of conditions.
class ClusterMessages {
 public:
  /// Keeps references. conditions: [variable], read for those that the tree conditions on. Clusters of different
  /// branches, and parts of large ones, are worked on by up to `threads` threads (0: all cores); how a cluster is cut
  /// depends on the cluster alone, so results do not depend on threads.
  ClusterMessages(const FactorGraph& graph, const ClusterTree& tree, std::span<const Value> conditions,
                  const Stop& stop, int threads = 1);

  /// Sends all messages from leaves to roots and returns the log of the total. Unless `keep`, messages from children
  /// are freed once read, and clusters follow each other, so that few messages are held.
  double send_upward(Elimination elimination, bool keep);

  /// After send_upward(kMax or kAsMarked, keep): the best values of the maximised variables, found from the roots down;
  /// others 0.
  Assignment trace_back(Elimination elimination) const;

  /// After send_upward(kSum, keep): a draw from the distribution, from the roots down, each cluster's own variables
  /// given its separator. The total must not be 0.
  Assignment draw(Random& random) const;

  /// A table over some variables of a cluster, to be filled with probabilities (last variable fastest).
  struct Marginal {
    std::span<const VariableId> scope;
    std::vector<double>* table;
  };
  /// After send_upward(kSum, keep): replaces messages by those from the parent and fills the marginals of each cluster.
  void send_downward(std::span<const std::vector<Marginal>> marginals_of_cluster);

 private:
  using Cluster = ClusterTree::Cluster;

  std::vector<std::size_t> cardinalities_of(std::span<const VariableId> variables) const;
  std::vector<StridedTable> tables_of(const Cluster& cluster, std::span<const VariableId> variables,
                                      std::span<const Value> fixed) const;
  TableRows rows_of(const Cluster& cluster, std::vector<std::vector<double>>& storage) const;
  std::vector<std::size_t> strides_in(std::span<const VariableId> scope, std::span<const VariableId> variables) const;
  std::vector<double> message_of(const Cluster& cluster, bool is_max) const;
  void find_best(const Cluster& cluster, Assignment& y) const;
  void draw_own(const Cluster& cluster, Random& random, Assignment& y) const;
  void set_own(const Cluster& cluster, std::size_t joint_value, Assignment& y) const;
  void pass_down(std::size_t c, std::span<const Marginal> marginals);
  void add_probabilities(std::size_t c, std::span<const AddedTable> targets) const;
  void check_clock() const;

  const FactorGraph& graph_;
  const ClusterTree& tree_;
  std::span<const Value> conditions_;
  Stop stop_;
  int threads_;
  std::optional<TaskForest> forest_;           // for more than one thread
  std::vector<std::vector<double>> messages_;  // [cluster][joint value of the separator]
};

}  // namespace fovea::graph::internal
