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
  int iterations = 12;         ///< of propagation on each join graph, fewer if it converges
  JoinGraphPropagationOptions propagation = {};

  static void describe(auto&& visit) {
    visit(&JoinGraphAverageOptions::max_entries,
          number_from(1, "join-entries",
                      "Maximum number of joint values of a cluster of a join graph, unless a factor has more."));
    visit(&JoinGraphAverageOptions::iterations,
          number_from(1, "join-iterations",
                      "Number of iterations of propagation on each join graph, fewer if it converges."));
  }
};

/// Marginals averaged over propagation on several join graphs.
///
/// The elimination order determines how clusters are split, and thus the error due to splitting; on models with near
/// symmetries each run even settles on one of several equivalent fixed points. Each round draws an order
/// (find_elimination_order with ties broken at random), joins clusters along it, propagates, and adds its marginals to
/// the average. On the linkage models of the UAI 2014 competition ten rounds with small clusters come closer to the
/// true marginals than one with clusters a hundred times as large.
///
/// A round depends on the stream and its own number alone: run(a) followed by run(b) equals run(a + b). A round that is
/// cut short is dropped, except the first, which counts until it can be replaced.
class JoinGraphAverage {
 public:
  /// Keeps a reference to `graph`. Throws UsageError for options out of range.
  JoinGraphAverage(const FactorGraph& graph, const JoinGraphAverageOptions& options, const Random& random);

  /// Runs up to the given number of further rounds; fewer if exact, infeasible or stopped.
  Work run(std::uint64_t rounds, const Stop& stop = {});

  std::uint64_t rounds() const { return rounds_; }
  /// True if a join graph was a tree: then marginals and log Z are those of that tree, not estimates.
  bool is_exact() const { return is_exact_; }
  /// True if no assignment is feasible.
  bool is_infeasible() const { return is_infeasible_; }

  /// [variable][value], linear domain; uniform before the first round, all 0 if infeasible.
  const std::vector<std::vector<double>>& marginals() const { return marginals_; }
  /// The mean of the rounds' estimates of log Z; +inf before the first round, -inf if infeasible.
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
