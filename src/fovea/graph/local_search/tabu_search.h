// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "fovea/base/random.h"
#include "fovea/graph/local_search/searcher.h"
#include "fovea/graph/temper/score_rows.h"

namespace fovea::graph {

/// Tabu search (Glover 1989) from many random starts, for small models in which everything touches everything: each
/// step makes the change of one variable that gains most, or loses least. Values given up a few steps ago are excluded
/// unless they lead beyond the best of the walk. A walk that has not improved for a while is left for a new random
/// start. In dense models, descents from random starts end far apart, and the best is found by starting often rather
/// than by walking on or cooling slowly.
///
/// Hard constraints are softened; the penalty grows until an assignment without a broken one is found. A step looks at
/// all values of all variables; the values of one variable count as one transition.
class TabuSearch final : public Searcher {
 public:
  /// accepts(graph) must hold, and `graph` must outlive the searcher.
  TabuSearch(const FactorGraph& graph, const Random& random) : graph_(&graph), random_(random) {}

  /// True if there are few enough values for a step to take a few microseconds, and variables touch half of all others
  /// or more, on average.
  static bool accepts(const FactorGraph& graph);

  const char* name() const override { return "tabu search"; }
  Work run(std::uint64_t transitions, const Stop& stop) override;
  const ScoredAssignment& best() const override { return best_; }
  void offer(const ScoredAssignment& found) override {
    if (found.score > best_.score) best_ = found;
  }

 private:
  struct Move {
    VariableId variable = 0;
    Value value = 0;
    double gain = 0;
  };

  bool prepare(const Stop& stop);
  bool soften(double penalty, const Stop& stop);
  bool begin_walk(const Stop& stop);
  std::optional<Move> best_move() const;
  void step();
  void record();

  const FactorGraph* graph_;
  Random random_;
  ScoredAssignment best_;
  std::optional<SoftTables> tables_;
  std::optional<ScoreRows> rows_;
  std::vector<std::uint64_t> free_from_;  // [row_begin(v) + k]: the step from which v may take k again
  std::uint64_t steps_ = 0, last_improvement_ = 0;
  std::uint64_t walks_ = 0;
  double walk_best_ = 0;  // softened
};

}  // namespace fovea::graph
