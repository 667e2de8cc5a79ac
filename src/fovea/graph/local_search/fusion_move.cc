// SPDX-License-Identifier: Apache-2.0
#include "fovea/graph/local_search/fusion_move.h"

#include <algorithm>

namespace fovea::graph {

std::size_t FusionMove::fuse(ScoreRows& rows, std::span<const Value> proposal, const Stop& stop) {
  collect(rows, proposal);
  drop_hopeless();
  std::size_t taken = 0;
  const bool is_solved = cut(stop);
  for (std::size_t i = 0; i < variables_.size(); ++i) {
    node_[variables_[i]] = -1;
    if (!is_solved || cut_node_[i] < 0 || !flow_.is_on_source_side(cut_node_[i])) continue;
    rows.assign(variables_[i], proposal[variables_[i]]);
    ++taken;
  }
  return taken;
}

void FusionMove::collect(const ScoreRows& rows, std::span<const Value> proposal) {
  const SoftTables& tables = rows.tables();
  const Assignment& values = rows.values();
  variables_.clear();
  gains_.clear();
  edges_.clear();
  for (VariableId v = 0; v < values.size(); ++v) {
    if (values[v] == proposal[v]) continue;
    node_[v] = static_cast<MaxFlow::Node>(variables_.size());
    variables_.push_back(v);
    gains_.push_back(rows.gain(v, proposal[v]));
  }
  for (const VariableId v : variables_)
    for (const SoftTables::Slice& slice : tables.slices(v)) {
      const VariableId u = slice.neighbour;
      if (u < v || node_[u] < 0) continue;
      const double* taken = slice.table + std::size_t{proposal[v]} * slice.cardinality;
      const double* kept = slice.table + std::size_t{values[v]} * slice.cardinality;
      const double weight = taken[proposal[u]] - taken[values[u]] - kept[proposal[u]] + kept[values[u]];
      if (weight != 0) edges_.push_back({.first = node_[v], .second = node_[u], .weight = weight});
    }
}

/// Gives cut nodes to the places that some set might want: those whose hope stays positive when the hopes that rest on
/// hopeless neighbours are withdrawn, again and again until none is left.
void FusionMove::drop_hopeless() {
  const auto place = [](MaxFlow::Node n) { return static_cast<std::size_t>(n); };
  edge_begin_.assign(variables_.size() + 1, 0);
  hopes_ = gains_;
  for (const Edge& edge : edges_)
    for (const MaxFlow::Node n : {edge.first, edge.second}) {
      ++edge_begin_[place(n) + 1];
      hopes_[place(n)] += std::max(edge.weight, 0.0);
    }
  for (std::size_t i = 0; i < variables_.size(); ++i) edge_begin_[i + 1] += edge_begin_[i];
  edge_of_.resize(2 * edges_.size());
  std::vector<std::size_t> next(edge_begin_.begin(), edge_begin_.end() - 1);
  for (std::size_t e = 0; e < edges_.size(); ++e)
    for (const MaxFlow::Node n : {edges_[e].first, edges_[e].second}) edge_of_[next[place(n)]++] = e;

  cut_node_.assign(variables_.size(), 0);
  std::vector<std::size_t> hopeless;
  const auto drop = [&](std::size_t i) {
    if (cut_node_[i] < 0 || hopes_[i] > 0) return;
    cut_node_[i] = -1;
    hopeless.push_back(i);
  };
  for (std::size_t i = 0; i < variables_.size(); ++i) drop(i);
  for (std::size_t done = 0; done < hopeless.size(); ++done)
    for (std::size_t j = edge_begin_[hopeless[done]]; j < edge_begin_[hopeless[done] + 1]; ++j) {
      const Edge& edge = edges_[edge_of_[j]];
      const std::size_t other = place(edge.first) + place(edge.second) - hopeless[done];
      hopes_[other] -= std::max(edge.weight, 0.0);
      drop(other);
    }
}

bool FusionMove::cut(const Stop& stop) {
  MaxFlow::Node count = 0;
  for (MaxFlow::Node& n : cut_node_)
    if (n >= 0) n = count++;
  flow_.reset(static_cast<std::size_t>(count));
  for (std::size_t i = 0; i < variables_.size(); ++i)
    if (cut_node_[i] >= 0) flow_.add_terminal(cut_node_[i], gains_[i]);
  for (const Edge& edge : edges_) {
    const MaxFlow::Node first = cut_node_[static_cast<std::size_t>(edge.first)];
    const MaxFlow::Node second = cut_node_[static_cast<std::size_t>(edge.second)];
    if (first < 0 || second < 0) continue;
    // w s_u s_v = w (s_u + s_v) / 2 - w |s_u - s_v| / 2, of which a negative w keeps only the first part.
    flow_.add_terminal(first, edge.weight / 2);
    flow_.add_terminal(second, edge.weight / 2);
    if (edge.weight > 0) flow_.add_edge(first, second, edge.weight / 2, edge.weight / 2);
  }
  return count == 0 || flow_.solve(stop);
}

}  // namespace fovea::graph
