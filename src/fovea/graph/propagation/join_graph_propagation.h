// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "fovea/base/options.h"
#include "fovea/base/run_control.h"
#include "fovea/graph/model/factor_graph.h"
#include "fovea/graph/propagation/join_graph.h"
#include "fovea/graph/tree/table_rows.h"

namespace fovea::graph {

struct JoinGraphPropagationOptions {
  double damping = 0;       ///< log message = damping * last message + (1 - damping) * computed message
  double tolerance = 1e-7;  ///< converged when no message (linear, highest value 1) changes by more in an iteration

  static void describe(auto&& visit) {
    visit(&JoinGraphPropagationOptions::damping,
          number_in(0, 0.999, "join-damping",
                    "Damping: log message = damping * last message + (1 - damping) * computed message."));
    visit(&JoinGraphPropagationOptions::tolerance,
          number_from(0, "join-tolerance",
                      "Messages have converged when none changes by more than this in an iteration."));
  }
};

/// Iterative join-graph propagation (Dechter, Kask, Mateescu 2002): generalised belief propagation between clusters.
///
///   b_c(x) = product of the factors of c * product over its edges e of h_e->c(x_e)
///   h_c->e(x_e) = sum over x without x_e of b_c(x) / h_e->c(x_e)
///
/// where 0 / 0 = 0, since an inferred zero is a true zero. An iteration sends messages from earlier to later clusters
/// and back; if the join graph is a tree, one iteration is exact. Messages are kept in the log domain, with their
/// highest value at 0; the joint values of a cluster are computed row by row and never stored. Joint values below
/// exp(-700) times the last sum of their cluster count as impossible.
///
/// Estimate of log Z: sum_c log sum_x b_c(x) - sum_e log sum_s h_c->e(s) h_e->c(s). Time per iteration is
/// JoinGraph::operations(), memory slightly more than JoinGraph::message_bytes(). run(a) followed by run(b) equals
/// run(a + b).
class JoinGraphPropagation {
 public:
  /// Keeps references. Throws UsageError for options out of range.
  JoinGraphPropagation(const FactorGraph& graph, const JoinGraph& join_graph,
                       const JoinGraphPropagationOptions& options = {});

  /// Runs up to the given number of further iterations; fewer if converged, infeasible or stopped.
  Work run(std::uint64_t iterations, const Stop& stop = {});

  std::uint64_t iterations() const { return iterations_; }
  /// Largest change of a message in the last iteration; +inf before the first one.
  double change() const { return change_; }
  bool is_converged() const { return change_ <= options_.tolerance; }
  /// True if all joint values of some cluster are impossible.
  bool is_infeasible() const { return is_infeasible_; }

  /// [variable][value], linear domain, from the largest cluster of each variable when it was last visited on the way
  /// back; uniform before. All 0 if infeasible.
  const std::vector<std::vector<double>>& marginals() const { return marginals_; }
  /// Estimate of log Z after the last whole iteration; +inf before the first, -inf if infeasible.
  double log_partition() const { return log_partition_; }

 private:
  enum class Direction { kForward, kBackward };
  /// Sums of a cluster's joint values, which become a message or a marginal.
  struct Sums {
    std::span<const VariableId> scope = {};
    std::uint32_t id = 0;  // of the edge or the variable
    std::vector<double> entries = {};
  };

  bool iterate(const Stop& stop);
  bool visit(std::uint32_t c, Direction direction, const Stop& stop);
  internal::TableRows rows_of(std::uint32_t c) const;
  std::size_t tables_of(std::uint32_t c) const {
    return join_graph_.clusters()[c].factors.size() + join_graph_.clusters()[c].edges.size();
  }
  bool find_shift(std::uint32_t c, const Stop& stop);
  bool sum_rows(std::uint32_t c, std::span<Sums> sums, const Stop& stop);
  void send(const Sums& sums, Direction direction);
  void set_marginal(const Sums& sums);
  double edge_log_sum(std::size_t e) const;
  void give_up();

  const std::vector<double>& message_to(std::uint32_t c, std::uint32_t e) const {
    return messages_[e][join_graph_.edges()[e].later == c ? 0 : 1];
  }

  const FactorGraph& graph_;
  const JoinGraph& join_graph_;
  JoinGraphPropagationOptions options_;
  std::vector<std::array<std::vector<double>, 2>> messages_;  // [edge]: to its later cluster, to its earlier one
  std::vector<double> cluster_log_sums_;                      // [cluster]: log sum_x b_c(x)
  std::vector<double> shifts_;                                // [cluster]: nearly that; kUnknown before the first visit
  std::vector<std::vector<double>> marginals_;
  double log_partition_ = std::numeric_limits<double>::infinity();
  double change_ = std::numeric_limits<double>::infinity();
  std::uint64_t iterations_ = 0;
  bool is_infeasible_ = false;
  Work work_ = {};
  StopMeter meter_;
  std::vector<double> row_, computed_;
};

}  // namespace fovea::graph
