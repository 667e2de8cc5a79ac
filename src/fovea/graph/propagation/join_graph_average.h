// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <limits>
#include <vector>

#include "fovea/base/options.h"
#include "fovea/base/random.h"
#include "fovea/base/run_control.h"
#include "fovea/graph/model/factor_graph.h"
#include "fovea/graph/propagation/join_graph_propagation.h"

namespace fovea::graph {

struct JoinGraphAverageOptions {
  double max_entries = 10000;  ///< a cluster has at most that many joint values, unless a factor has more
  int iterations = 12;         ///< of propagation on each join graph, fewer where it converges
  JoinGraphPropagationOptions propagation = {};

  template <class V>
  static void describe(V&& visit) {
    visit(&JoinGraphAverageOptions::max_entries,
          OptionInfo{.name = "join-entries",
                     .description = "a cluster of a join graph has at most so many joint values",
                     .min = 1});
    visit(&JoinGraphAverageOptions::iterations,
          OptionInfo{.name = "join-iterations", .description = "of propagation on each join graph", .min = 1});
  }
};

/// Marginals averaged over propagation on several join graphs.
///
/// How clusters are split depends on the elimination order, and so does the error that splitting brings; on models with
/// near symmetries each run even settles for one of several equivalent fixed points. Each round draws an order
/// (find_elimination_order with ties broken at random), joins clusters along it, propagates, and adds its marginals to
/// the average. On the linkage models of the UAI 2014 competition ten rounds with small clusters come closer to the
/// true marginals than one with clusters a hundred times as large.
///
/// Rounds depend on the stream and their number alone: run(a) and run(b) are together run(a + b). A round cut short
/// is dropped, unless it is the first: then it counts until it can be replaced.
class JoinGraphAverage {
 public:
  /// Keeps a reference to `graph`. Throws UsageError for options out of range.
  JoinGraphAverage(const FactorGraph& graph, const JoinGraphAverageOptions& options, const Random& random);

  /// Up to so many further rounds; fewer if exact, infeasible or stopped.
  Work run(std::uint64_t rounds, const Stop& stop = {});

  std::uint64_t rounds() const { return rounds_; }
  /// A join graph was a tree: marginals and log Z are its own, and no estimates.
  bool is_exact() const { return is_exact_; }
  /// No assignment is feasible.
  bool is_infeasible() const { return is_infeasible_; }

  /// [variable][value], linear domain; uniform before there is any, all 0 where infeasible.
  const std::vector<std::vector<double>>& marginals() const { return marginals_; }
  /// The mean of the rounds' estimates of log Z; +inf before the first, -inf where infeasible.
  double log_partition() const { return log_partition_; }

 private:
  Work run_round(const Stop& stop);
  void add(const JoinGraphPropagation& propagation);

  const FactorGraph& graph_;
  JoinGraphAverageOptions options_;
  Random random_;
  std::vector<std::vector<double>> marginals_;
  double log_partition_ = std::numeric_limits<double>::infinity();
  std::uint64_t rounds_ = 0;
  bool is_exact_ = false, is_infeasible_ = false;
};

}  // namespace fovea::graph
