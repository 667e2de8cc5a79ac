// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <vector>

#include "fovea/base/random.h"
#include "fovea/graph/local_search/crossover.h"
#include "fovea/graph/local_search/fusion_move.h"
#include "fovea/graph/local_search/searcher.h"
#include "fovea/graph/temper/score_rows.h"

namespace fovea::graph {

/// Non-local search in models of unary and pairwise factors: alpha-expansion (Boykov, Veksler and Zabih 2001) by fusion
/// moves with every constant proposal, until none improves. Then the best assignment is perturbed by a few sweeps of
/// heat-bath moves, expanded again and crossed with the best, over and over. Changes whole regions at once, where
/// single-variable moves would have to pass through worse assignments.
///
/// A transition is one variable whose label a move might change.
class ExpansionSearch final : public Searcher {
 public:
  /// True if the search is for such a model: it has no factor of three or more variables.
  static bool accepts(const FactorGraph& graph) { return graph.max_arity() <= 2; }

  /// Starts at `start` if it is given, else at each variable's best value by its own factors. accepts(graph) must hold,
  /// and `graph` must outlive the searcher.
  ExpansionSearch(const FactorGraph& graph, const Random& random, ScoredAssignment start = {});

  const char* name() const override { return "expansion search"; }
  Work run(std::uint64_t transitions, const Stop& stop) override;
  const ScoredAssignment& best() const override { return best_; }
  void offer(const ScoredAssignment& found) override;

 private:
  bool prepare(const Stop& stop);
  void expand(Value label, const Stop& stop, Work& work);
  void end_descent();
  void perturb(const Stop& stop, Work& work);
  void record();

  const FactorGraph* graph_;
  Random random_;
  ScoredAssignment best_;
  std::optional<SoftTables> tables_;
  std::optional<ScoreRows> rows_;
  FusionMove fusion_;
  PartitionCrossover crossover_;
  double spread_ = 0;          // of conditional scores
  std::vector<Value> labels_;  // in the order of the current descent
  std::size_t next_label_ = 0, unchanged_ = 0;
  Assignment proposal_;
  HeatBath heat_bath_;
};

}  // namespace fovea::graph
