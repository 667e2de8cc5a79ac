// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "fovea/base/run.h"
#include "fovea/graph/model/factor_graph.h"
#include "fovea/graph/task/solve_log.h"
#include "fovea/graph/task/solve_options.h"
#include "fovea/mcmc/conditional_model.h"

namespace fovea::graph {

/// `graph`, of whose assignments only those are possible that differ from each of `answers` in at least `least` >= 1
/// variables. Behind the variables of `graph` it has one for each answer and variable, that counts differences up to
/// there: its tables are small, and the width of the model grows by the number of answers. Nothing where all tables
/// together would have more than `max_entries` entries.
std::optional<FactorGraph> with_distance(const FactorGraph& graph, std::span<const mcmc::ScoredAssignment> answers,
                                         std::size_t least, std::size_t max_entries);

/// An assignment of `graph` with the counts that belong to it.
Assignment with_counts(const Assignment& values, std::span<const mcmc::ScoredAssignment> answers, std::size_t least);

struct DiverseAnswers {
  std::vector<mcmc::ScoredAssignment> answers = {};  ///< best first, any two as far from each other as was asked for
  /// As many as were asked for, or proved to be all: no other assignment is that far from each of these. Else the
  /// limits ended the search.
  bool is_complete = false;
};

/// `options.diverse` assignments of high score of which any two differ in at least `options.distance`
/// variables, `best` among them.
///
/// Greedy, as M-best diversity is commonly approached: each further answer is the best that is far enough from those
/// before it; at distance 1 these are the M best assignments. It is found, and proved, in a model that counts the
/// differences. Where that takes too long, an answer comes from the score minus `penalty` for
/// every variable on which it agrees with an earlier one (Batra et al. 2012): the penalty is doubled until the answer
/// is far enough from all, then halved in on.
DiverseAnswers find_diverse(const FactorGraph& graph, const mcmc::ScoredAssignment& best, const MapOptions& options,
                            const Run& run, SolveLog& log);

}  // namespace fovea::graph
