// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <vector>

#include "fovea/graph/tables/max_flow.h"
#include "fovea/graph/temper/score_rows.h"

namespace fovea::graph {

/// Fuses an assignment x with a proposal p: every variable keeps x_v or takes p_v, whichever is best for all together
/// (Lempitsky, Rother, Roth and Blake 2010; the move of alpha-expansion when p is constant). For models of unary and
/// pairwise factors. Relative to x, taking the set S scores
///
///   sum_{v in S} gain_v + sum_{uv in S} w_uv,   w_uv = t(p_u, p_v) - t(p_u, x_v) - t(x_u, p_v) + t(x_u, x_v),
///
/// which a minimum cut maximises exactly where no w is negative. A negative w s_u s_v is replaced by its lower bound
/// w (s_u + s_v) / 2, which is exact at S = {}: so the move never makes the score worse. Variables that cannot raise
/// the score in any S are taken out before the cut.
class FusionMove {
 public:
  /// For graphs with max_arity() <= 2.
  explicit FusionMove(const FactorGraph& graph) : node_(graph.variable_count(), -1) {}

  /// Moves `rows` to the fused assignment; returns the number of variables that took the proposal's value. Nothing
  /// changes if `stop` was requested first.
  std::size_t fuse(ScoreRows& rows, std::span<const Value> proposal, const Stop& stop = {});

 private:
  struct Edge {
    MaxFlow::Node first = 0, second = 0;
    double weight = 0;
  };

  void collect(const ScoreRows& rows, std::span<const Value> proposal);
  void drop_hopeless();
  bool cut(const Stop& stop);

  std::vector<MaxFlow::Node> node_;    // [variable] its place in variables_, or -1
  std::vector<VariableId> variables_;  // where the proposal differs
  std::vector<double> gains_, hopes_;  // [place]; hope: the gain with everything that could favour the proposal
  std::vector<Edge> edges_;
  std::vector<std::size_t> edge_begin_, edge_of_;  // edges at each place
  std::vector<MaxFlow::Node> cut_node_;            // [place] its node in flow_, or -1: keeps its value
  MaxFlow flow_;
};

}  // namespace fovea::graph
