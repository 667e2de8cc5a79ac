// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "fovea/base/assignment.h"
#include "fovea/base/run.h"
#include "fovea/graph/model/factor_graph.h"
#include "fovea/graph/task/solve_log.h"
#include "fovea/graph/task/solve_options.h"

namespace fovea::graph {

/// Copy of `graph` in which only assignments that differ from each of `answers` in at least `least` >= 1 variables are
/// possible. After the variables of `graph` it has one more for each answer and variable, which counts the differences
/// up to there. Their tables are small, and the width of the model grows by the number of answers. Returns nothing if
/// these tables would have more than `max_entries` entries together.
std::optional<FactorGraph> with_distance(const FactorGraph& graph, std::span<const ScoredAssignment> answers,
                                         std::size_t least, std::size_t max_entries);

/// An assignment of the original graph, extended by the counts that belong to it.
Assignment with_counts(const Assignment& values, std::span<const ScoredAssignment> answers, std::size_t least);

struct DiverseAnswers {
  std::vector<ScoredAssignment> answers = {};  ///< best first, any two as far apart as was asked for
  /// True if there are as many as were asked for, or if no other assignment is that far from each of these. Otherwise
  /// the limits ended the search.
  bool is_complete = false;
};

/// Finds `options.diverse` assignments of high score, `best` among them, any two of which differ in at least
/// `options.distance` variables.
///
/// Greedy, as M-best diversity is commonly approached: each further answer is the best that is far enough from those
/// before it; at distance 1 these are the M best assignments. It is found, and proved, in a model that counts the
/// differences. If that takes too long, an answer maximises the score minus `penalty` for every variable on which it
/// agrees with an earlier one (Batra et al. 2012): the penalty is doubled until the answer is far enough from all, then
/// narrowed down.
DiverseAnswers find_diverse(const FactorGraph& graph, const ScoredAssignment& best, const MapOptions& options,
                            const Run& run, SolveLog& log);

}  // namespace fovea::graph
