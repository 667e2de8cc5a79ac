// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "fovea/base/run_control.h"
#include "fovea/graph/model/factor_graph.h"

namespace fovea::graph {

/// Clusters of variables of bounded size, joined by edges: a junction tree whose oversized clusters have been split.
///
/// Built by the schematic mini-bucket algorithm (Mateescu, Kask, Gogate, Dechter 2010, "Join-graph propagation
/// algorithms", figure 15): variables are eliminated in order; the factors and messages that mention the next one are
/// distributed over groups of at most max_entries joint values. Each group becomes a cluster and sends a message over
/// the rest of its scope to the next variable in it; groups of the same variable are joined by edges over that variable
/// alone. A group that is the whole message of an earlier cluster joins that cluster. The clusters and edges that
/// contain a variable form a tree.
class JoinGraph {
 public:
  struct Cluster {
    std::vector<VariableId> variables = {};  ///< in elimination order
    std::vector<FactorId> factors = {};      ///< each factor of the graph whose scope is not empty is in one cluster
    std::vector<std::uint32_t> edges = {};
    std::vector<VariableId> represented = {};  ///< variables with marginals read here: no larger cluster has them
    double entries = 1;
  };
  struct Edge {
    std::uint32_t earlier = 0, later = 0;    ///< clusters
    std::vector<VariableId> separator = {};  ///< in elimination order
    double entries = 1;
  };

  /// `order` holds every variable of the graph once. Clusters have at most max_entries joint values, but a factor's
  /// scope is never split. Throws LimitError if stopped.
  JoinGraph(const FactorGraph& graph, std::span<const VariableId> order, double max_entries, const Stop& stop = {});

  /// Earlier clusters eliminate earlier variables: in a tree, children come before parents.
  std::span<const Cluster> clusters() const { return clusters_; }
  std::span<const Edge> edges() const { return edges_; }
  /// True if no cluster was split: then propagation is exact.
  bool is_tree() const { return is_tree_; }

  double max_cluster_entries() const;
  double operations() const;     ///< of one iteration of propagation: joint values times tables read or written
  double message_bytes() const;  ///< of the messages on all edges, both ways

 private:
  friend class JoinGraphBuilder;

  std::vector<Cluster> clusters_;
  std::vector<Edge> edges_;
  bool is_tree_ = true;
};

}  // namespace fovea::graph
