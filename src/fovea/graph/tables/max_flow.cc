// SPDX-License-Identifier: Apache-2.0
#include "fovea/graph/tables/max_flow.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace fovea::graph {
namespace {

constexpr std::int32_t kUnreachable = std::numeric_limits<std::int32_t>::max();
constexpr int kStepsBetweenLooks = 4096;  // at the clock

}  // namespace

void MaxFlow::reset(std::size_t node_count) {
  nodes_.assign(node_count, NodeState{});
  arcs_.clear();
  active_.clear();
  orphans_.clear();
  time_ = 0;
}

void MaxFlow::add_edge(Node from, Node to, double capacity, double reverse_capacity) {
  const auto forward = static_cast<Arc>(arcs_.size());
  arcs_.push_back({.head = to, .next = node(from).first, .residual = capacity});
  arcs_.push_back({.head = from, .next = node(to).first, .residual = reverse_capacity});
  node(from).first = forward;
  node(to).first = forward + 1;
}

bool MaxFlow::is_on_source_side(Node n) const {
  const NodeState& state = nodes_[index(n)];
  return state.parent != kNoArc && state.side == Side::kSource;
}

bool MaxFlow::solve(const Stop& stop) {
  start_trees();
  int steps = 0;
  for (Node from = next_active(); from >= 0; from = next_active()) {
    for (Arc middle = grow(from); middle != kNoArc; middle = node(from).parent == kNoArc ? kNoArc : grow(from)) {
      augment(middle);
      adopt_orphans();
      if (++steps % kStepsBetweenLooks == 0 && stop.requested()) return false;
    }
    if (++steps % kStepsBetweenLooks == 0 && stop.requested()) return false;
  }
  return true;
}

void MaxFlow::start_trees() {
  for (std::size_t n = 0; n < nodes_.size(); ++n) {
    NodeState& state = nodes_[n];
    if (state.terminal == 0) continue;
    state.side = state.terminal > 0 ? Side::kSource : Side::kSink;
    state.parent = kTerminal;
    state.distance = 1;
    activate(static_cast<Node>(n));
  }
}

void MaxFlow::activate(Node n) {
  if (node(n).is_active) return;
  node(n).is_active = true;
  active_.push_back(n);
}

/// The next active node that is still in a tree, or -1.
MaxFlow::Node MaxFlow::next_active() {
  while (!active_.empty()) {
    const Node n = active_.front();
    active_.pop_front();
    node(n).is_active = false;
    if (node(n).parent != kNoArc) return n;
  }
  return -1;
}

/// Takes free neighbours into the tree of `from`; returns the arc, from the source's side to the sink's, over which it
/// meets the other tree, or none.
MaxFlow::Arc MaxFlow::grow(Node from) {
  const NodeState& state = node(from);
  for (Arc a = state.first; a != kNoArc; a = arc(a).next) {
    if (residual_outwards(state.side, a) <= 0) continue;
    NodeState& other = node(arc(a).head);
    if (other.parent != kNoArc && other.side != state.side) return state.side == Side::kSource ? a : a ^ 1;
    const bool is_free = other.parent == kNoArc;
    if (!is_free && !(other.checked <= state.checked && other.distance > state.distance)) continue;
    other.side = state.side;
    other.parent = a ^ 1;
    other.checked = state.checked;
    other.distance = state.distance + 1;
    if (is_free) activate(arc(a).head);
  }
  return kNoArc;
}

void MaxFlow::augment(Arc middle) {
  const Node source_end = arc(middle ^ 1).head, sink_end = arc(middle).head;
  const double flow =
      std::min({arc(middle).residual, bottleneck(Side::kSource, source_end), bottleneck(Side::kSink, sink_end)});
  arc(middle).residual -= flow;
  arc(middle ^ 1).residual += flow;
  push(Side::kSource, source_end, flow);
  push(Side::kSink, sink_end, flow);
}

double MaxFlow::bottleneck(Side side, Node n) {
  double least = std::numeric_limits<double>::infinity();
  for (; node(n).parent != kTerminal; n = arc(node(n).parent).head)
    least = std::min(least, residual_outwards(side, node(n).parent ^ 1));
  return std::min(least, std::abs(node(n).terminal));
}

/// Sends flow through the tree path of n. A node whose arc to its parent has no capacity left becomes an orphan.
void MaxFlow::push(Side side, Node n, double flow) {
  while (node(n).parent != kTerminal) {
    const Arc parent = node(n).parent;
    residual_outwards(side, parent) += flow;
    residual_outwards(side, parent ^ 1) -= flow;
    if (residual_outwards(side, parent ^ 1) <= 0) make_orphan(n);
    n = arc(parent).head;
  }
  double& left = node(n).terminal;
  left += side == Side::kSource ? -flow : flow;
  if (left == 0) make_orphan(n);
}

void MaxFlow::make_orphan(Node n) {
  node(n).parent = kOrphan;
  orphans_.push_back(n);
}

void MaxFlow::adopt_orphans() {
  ++time_;
  while (!orphans_.empty()) {
    const Node orphan = orphans_.front();
    orphans_.pop_front();
    adopt(orphan);
  }
}

/// Finds the neighbour nearest to the terminal that can be the new parent, or gives the orphan up.
void MaxFlow::adopt(Node orphan) {
  NodeState& state = node(orphan);
  Arc best = kNoArc;
  std::int32_t least = kUnreachable;
  for (Arc a = state.first; a != kNoArc; a = arc(a).next) {
    const Node candidate = arc(a).head;
    if (residual_outwards(state.side, a ^ 1) <= 0 || node(candidate).side != state.side) continue;
    if (node(candidate).parent == kNoArc) continue;
    const std::int32_t distance = distance_to_terminal(candidate);
    if (distance >= least) continue;
    least = distance;
    best = a;
  }
  if (best == kNoArc) return release(orphan);
  state.parent = best;
  state.checked = time_;
  state.distance = least + 1;
}

/// Distance to the terminal along the tree; kUnreachable below an orphan. Marks the way, so that it is walked once.
std::int32_t MaxFlow::distance_to_terminal(Node n) {
  std::int32_t distance = 0;
  for (Node at = n;; at = arc(node(at).parent).head) {
    NodeState& state = node(at);
    if (state.checked == time_) {
      distance += state.distance;
      break;
    }
    ++distance;
    if (state.parent == kOrphan || state.parent == kNoArc) return kUnreachable;
    if (state.parent != kTerminal) continue;
    state.checked = time_;
    state.distance = 1;
    break;
  }
  std::int32_t left = distance;
  for (Node at = n; node(at).checked != time_; at = arc(node(at).parent).head) {
    node(at).checked = time_;
    node(at).distance = left--;
  }
  return distance;
}

void MaxFlow::release(Node orphan) {
  NodeState& state = node(orphan);
  for (Arc a = state.first; a != kNoArc; a = arc(a).next) {
    const Node neighbour = arc(a).head;
    NodeState& other = node(neighbour);
    if (other.side != state.side || other.parent == kNoArc) continue;
    if (residual_outwards(state.side, a ^ 1) > 0) activate(neighbour);
    if (other.parent == (a ^ 1)) make_orphan(neighbour);
  }
  state.parent = kNoArc;
}

}  // namespace fovea::graph
