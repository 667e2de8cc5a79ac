// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <limits>
#include <string>
#include <vector>

#include "fovea/base/run.h"
#include "fovea/graph/model/factor_graph.h"
#include "fovea/graph/task/solve_log.h"
#include "fovea/graph/task/solve_options.h"

namespace fovea::graph {

/// An assignment of the model that was asked about, with a bound on the best. Scores are natural logarithms.
struct MapAnswer {
  ScoredAssignment best = {};
  double upper_bound = std::numeric_limits<double>::infinity();
  bool is_optimal = false;
  bool is_estimated = false;  ///< MMAP: the score is an estimate
  std::string method = "";
  std::vector<std::uint64_t> visits = {};  ///< [variable]: by the annealing of a grid's strips; empty if not a grid
  std::vector<SearcherRecord> searchers = {};
};

/// Finds the likeliest assignment of `graph`, by the method and the grid rule of `options`, from options.start:
///
///   simplify (exactly); look once, to have an answer;
///   a junction tree if its predicted tables and time fit;
///   else searches, a dual bound and a proof side by side (MapPortfolio) until a limit or the proof.
///
/// Throws InfeasibleError if it is proved that no assignment is possible, LimitError and CancelledError if none was
/// found in time.
MapAnswer find_map(const FactorGraph& graph, const MapOptions& options, const Run& run, SolveLog& log);

}  // namespace fovea::graph
