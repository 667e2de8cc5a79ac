// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <limits>
#include <span>
#include <string>
#include <vector>

#include "fovea/graph/format/tables/model_file.h"
#include "fovea/graph/model/factor_graph.h"
#include "fovea/graph/model/reduction.h"

namespace fovea::graph {

/// Score and faults of an assignment, found by looking every factor up in its table: no code is shared with the
/// solvers, not even the graph's own scoring.
struct SolutionCheck {
  double log_score = 0;                       ///< natural logarithm, unnormalised; -inf if a hard constraint is broken
  std::vector<FactorId> broken_factors = {};  ///< those that score -inf, ascending
  Evidence contradicted = {};                 ///< the observations that the assignment contradicts
  /// Upper bound on the model's costs if the assignment reaches it, which makes it impossible; else +inf.
  double bound_reached = std::numeric_limits<double>::infinity();

  bool reaches_bound() const { return bound_reached < std::numeric_limits<double>::infinity(); }
  bool is_feasible() const { return broken_factors.empty() && contradicted.empty() && !reaches_bound(); }
};

/// Checks an assignment. `values` has one value below the cardinality for each variable; `evidence` is about variables
/// of the graph; costs (minus log scores) of `cost_bound` and more are impossible.
SolutionCheck check_solution(const FactorGraph& graph, std::span<const Value> values,
                             std::span<const Observation> evidence = {},
                             double cost_bound = std::numeric_limits<double>::infinity());

/// A model, an assignment, its evidence and the outcome of the check, for reports. All must outlive the report.
struct SolutionReport {
  const FactorGraph& graph;
  const ModelNames& names;
  std::span<const Value> values;
  std::span<const Observation> evidence;
  const SolutionCheck& check;

  /// Maximum number of broken factors, and of contradicted observations, that are listed; all are counted.
  static constexpr std::size_t kMaxListed = 10;

  std::string text() const;
  /// One line. log_score and log10_score are null where a hard constraint is broken.
  std::string json() const;
};

}  // namespace fovea::graph
