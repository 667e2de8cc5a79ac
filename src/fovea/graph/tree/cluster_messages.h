// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "fovea/base/run_control.h"
#include "fovea/graph/model/factor_graph.h"
#include "fovea/graph/tree/cluster_tree.h"
#include "fovea/graph/tree/table_rows.h"

namespace fovea::graph::internal {

/// A table over some of the variables of a cluster; strides are per variable of the cluster, 0 for the others.
struct StridedTable {
  const double* table = nullptr;
  std::vector<std::size_t> strides = {};
};

/// Adds up small tables whose sum has few entries compared with the cluster, so that each joint value of the cluster is
/// a sum of fewer terms. Returns the tables to add up instead; `storage` takes the sums and must live as long. Log
/// domain.
std::vector<StridedTable> combine_tables(std::span<const std::size_t> cardinalities, std::vector<StridedTable> tables,
                                         std::vector<std::vector<double>>& storage);

/// Way in which the own variables of clusters are eliminated.
enum class Elimination { kSum, kMax, kAsMarked };

/// The messages of one cluster tree under one set of conditions.
class ClusterMessages {
 public:
  /// Keeps references. conditions: [variable], read for those that the tree conditions on.
  ClusterMessages(const FactorGraph& graph, const ClusterTree& tree, std::span<const Value> conditions,
                  const Stop& stop);

  /// Sends all messages from leaves to roots and returns the log of the total. Messages from children are freed once
  /// read unless `keep`.
  double send_upward(Elimination elimination, bool keep);

  /// After send_upward(kMax or kAsMarked, keep): the best values of the maximised variables, found from the roots down;
  /// others 0.
  Assignment trace_back(Elimination elimination) const;

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
  std::vector<double> message_of(const Cluster& cluster, bool is_max);
  void find_best(const Cluster& cluster, Assignment& y) const;
  void pass_down(std::size_t c, std::span<const Marginal> marginals);
  void look_at_clock(std::size_t work);

  const FactorGraph& graph_;
  const ClusterTree& tree_;
  std::span<const Value> conditions_;
  Stop stop_;
  std::size_t work_ = 0;
  std::vector<std::vector<double>> messages_;  // [cluster][joint value of the separator]
  std::vector<double> row_, highest_, sum_;    // of one row
};

}  // namespace fovea::graph::internal
