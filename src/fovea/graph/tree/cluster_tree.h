// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "fovea/base/run_control.h"
#include "fovea/graph/model/factor_graph.h"

namespace fovea::graph {

/// The maximal clusters of an elimination order as a forest, and the predicted cost of passing messages along it;
/// nothing is allocated that grows with tables.
///
/// A cluster eliminates its own variables; it shares the others, its separator, with its parent. Variables lie in
/// elimination order in every cluster: own ones first, then the separator. The message of a cluster to its parent is a
/// table over the separator, and no other table is ever stored.
class ClusterTree {
 public:
  static constexpr std::uint32_t kNoParent = ~std::uint32_t{0};

  struct Cluster {
    std::vector<VariableId> variables = {};
    std::size_t own_count = 0;
    std::uint32_t parent = kNoParent;
    std::vector<std::uint32_t> children = {};
    std::vector<FactorId> factors = {};  ///< each factor of the graph lies in one cluster
    bool is_maximised = false;           ///< its own variables are maximised over, not summed out
    double entries = 1, message_entries = 1;

    std::span<const VariableId> separator() const { return std::span(variables).subspan(own_count); }
  };

  /// order: the variables to eliminate, each at most once; those that are missing are conditioned on and lie in no
  /// cluster. maximised: [variable], nonzero where a variable is maximised over, so that no cluster eliminates
  /// variables of both kinds; empty: none. Throws LimitError if stopped.
  ClusterTree(const FactorGraph& graph, std::span<const VariableId> order, std::span<const char> maximised = {},
              const Stop& stop = {});

  /// Children before parents, in an order that holds few messages at a time (Liu 1987, "On the storage requirement in
  /// the out-of-core multifrontal method").
  std::span<const Cluster> clusters() const { return clusters_; }
  /// Factors all of whose variables are conditioned on, or that have none.
  std::span<const FactorId> constants() const { return constants_; }
  /// [variable]: where it is eliminated; kNoParent if it is conditioned on.
  std::uint32_t cluster_of(VariableId v) const { return cluster_of_[v]; }
  /// [variable]: place in the order.
  std::uint32_t position(VariableId v) const { return position_[v]; }

  double log2_width() const { return log2_width_; }          ///< of the largest cluster's joint values
  double operations() const { return operations_; }          ///< of an upward pass: joint values times tables read
  double message_bytes() const { return message_bytes_; }    ///< of all messages, which MAP keeps
  double marginal_bytes() const { return marginal_bytes_; }  ///< and of what a downward pass needs besides
  double peak_bytes() const { return peak_bytes_; }          ///< of those that a sum holds at a time

 private:
  void eliminate(const FactorGraph& graph, std::span<const VariableId> order, std::span<const char> maximised,
                 const Stop& stop);
  void place_factors(const FactorGraph& graph);
  void measure_tables(const FactorGraph& graph);
  std::vector<std::uint32_t> link_children();
  void arrange();
  void renumber(std::span<const std::uint32_t> number);
  double message_bytes_of(std::uint32_t c) const { return clusters_[c].message_entries * sizeof(double); }

  std::vector<Cluster> clusters_;
  std::vector<FactorId> constants_;
  std::vector<std::uint32_t> cluster_of_, position_;
  double log2_width_ = 0, operations_ = 0, message_bytes_ = 0, marginal_bytes_ = 0, peak_bytes_ = 0;
};

}  // namespace fovea::graph
