// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <limits>
#include <vector>

#include "fovea/base/budget.h"
#include "fovea/base/random.h"
#include "fovea/base/run_control.h"
#include "fovea/graph/grid/strip_rule.h"
#include "fovea/graph/model/factor_graph.h"
#include "fovea/graph/model/reduction.h"
#include "fovea/graph/task/solve_options.h"
#include "fovea/graph/task/solve_result.h"

namespace fovea::graph {

/// What a solver may spend. Under a deadline alone the answer depends on the machine; under a count budget without a
/// deadline it is the same on every run, at any number of threads.
struct SolveLimits {
  Stop stop = {};
  Budget budget = {};                          ///< its counts; its seconds are the caller's business (`stop`)
  std::uint64_t memory_bytes = 4'000'000'000;  ///< tables of exact methods stay below; the model itself is not counted
  int threads = 1;

  /// Whether a clock may end a step: under a deadline, and where nothing is limited. Under a count budget alone the
  /// answer is a matter of work, and no step looks at a clock.
  bool is_timed() const { return stop.has_deadline() || budget == Budget{}; }
  /// `stop`, and at most `seconds` from now where a clock may end a step.
  Stop within(double seconds) const { return is_timed() ? stop.within(seconds) : stop; }
};

/// A question about a discrete model. What it refers to must outlive the call.
struct SolveRequest {
  const FactorGraph& graph;
  Evidence evidence = {};
  std::vector<VariableId> query = {};  ///< MMAP: the variables to maximise over, each once, none observed
  Assignment start = {};               ///< MAP: where to begin, every variable; empty: nowhere
  /// MAP: an assignment whose costs (minus its log score) add up to this or more is impossible.
  double cost_bound = std::numeric_limits<double>::infinity();
  SolveOptions options = {};
  SolveLimits limits = {};
  const StripRule* grid_rule = nullptr;  ///< MAP of grids: where to sample; null: the universal rule
  Random random = Random(1);
  ImprovementFunction on_improvement = {};
};

}  // namespace fovea::graph
