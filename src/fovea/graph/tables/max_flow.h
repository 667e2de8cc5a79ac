// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <deque>
#include <vector>

#include "fovea/base/run_control.h"

namespace fovea::graph {

/// Maximum flow between a source and a sink, and with it a minimum cut, by two search trees that are kept from one
/// augmenting path to the next (Boykov and Kolmogorov 2004, "An experimental comparison of min-cut/max-flow algorithms
/// for energy minimization in vision"): fast on the shallow, sparse graphs of fusion moves. Capacities are >= 0.
class MaxFlow {
 public:
  using Node = std::int32_t;

  /// Forgets everything and starts over with nodes 0 .. node_count - 1.
  void reset(std::size_t node_count);
  /// Adds an edge from the source to `node` (capacity > 0), or from `node` to the sink (capacity < 0, of size
  /// -capacity). Edges add up; where those of both sides meet, the common part counts as flow already sent.
  void add_terminal(Node node, double capacity) { nodes_[index(node)].terminal += capacity; }
  /// Adds edges between two nodes, in both directions.
  void add_edge(Node from, Node to, double capacity, double reverse_capacity);

  /// Returns false if `stop` was requested first; the cut then means nothing.
  bool solve(const Stop& stop = {});
  /// True if the node lies on the source's side of the minimum cut; of several cuts, the one nearest to the source.
  bool is_on_source_side(Node node) const;

 private:
  using Arc = std::int32_t;  // the arc in the other direction is arc ^ 1
  enum class Side : std::uint8_t { kSource, kSink };
  static constexpr Arc kNoArc = -1;     // not in a tree, or no such arc
  static constexpr Arc kTerminal = -2;  // as a parent: the terminal itself
  static constexpr Arc kOrphan = -3;    // as a parent: lost, not yet replaced

  struct NodeState {
    double terminal = 0;  // what the source can still send here, or minus what this can still send to the sink
    Arc first = kNoArc;
    Arc parent = kNoArc;       // towards the terminal of the tree
    std::int64_t checked = 0;  // when `distance` was last known to be right
    std::int32_t distance = 0;
    Side side = Side::kSource;
    bool is_active = false;
  };
  struct ArcState {
    Node head = 0;
    Arc next = kNoArc;  // of the same tail
    double residual = 0;
  };

  static std::size_t index(std::int32_t i) { return static_cast<std::size_t>(i); }
  NodeState& node(Node n) { return nodes_[index(n)]; }
  ArcState& arc(Arc a) { return arcs_[index(a)]; }
  /// Residual capacity along `a`, for flow away from the terminal in the source's tree and towards it in the sink's.
  double& residual_outwards(Side side, Arc a) { return arcs_[index(side == Side::kSource ? a : a ^ 1)].residual; }

  void start_trees();
  void activate(Node n);
  Node next_active();
  Arc grow(Node from);
  void augment(Arc middle);
  double bottleneck(Side side, Node from);
  void push(Side side, Node from, double flow);
  void make_orphan(Node n);
  void adopt_orphans();
  void adopt(Node orphan);
  std::int32_t distance_to_terminal(Node n);
  void release(Node orphan);

  std::vector<NodeState> nodes_;
  std::vector<ArcState> arcs_;
  std::deque<Node> active_, orphans_;
  std::int64_t time_ = 0;
};

}  // namespace fovea::graph
