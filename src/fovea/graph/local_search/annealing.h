// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <vector>

#include "fovea/base/random.h"
#include "fovea/graph/local_search/crossover.h"
#include "fovea/graph/local_search/searcher.h"
#include "fovea/graph/temper/score_rows.h"

namespace fovea::graph {

/// Simulated annealing (Kirkpatrick, Gelatt and Vecchi 1983) on any graph, by heat-bath moves
///   p(y_v = k | rest) proportional to exp(row_v[k] / T),
/// and, for binary variables, by Metropolis moves, which change values more often.
///
/// Runs in cycles of slowly growing length. In a cycle the temperature falls geometrically between two multiples of the
/// spread of the conditional scores of a random assignment; if the planned end of the search comes before the end of
/// the cycle, the temperature falls with the clock. A cycle starts at the best assignment, ends in greedy descent, and
/// gives the best one every part in which it did better (PartitionCrossover): on a sparse graph of 1600 variables that
/// is worth more than cycles a hundred times as long.
///
/// Variables that would change with a probability below e^-9 leave the list of variables to visit until a neighbour
/// changes; at low temperatures nearly all have left. Transitions are visits to the others.
///
/// Hard constraints are softened; the penalty grows as long as every cycle ends with a broken one.
class Annealing final : public Searcher {
 public:
  /// Starts at `start` if it is given, else at random. `graph` must outlive the searcher.
  Annealing(const FactorGraph& graph, const Random& random, ScoredAssignment start = {});

  const char* name() const override { return "annealing"; }
  Work run(std::uint64_t transitions, const Stop& stop) override;
  void plan_until(Stop::Clock::time_point deadline) override { deadline_ = deadline; }
  const ScoredAssignment& best() const override { return best_; }
  void offer(const ScoredAssignment& found) override;

 private:
  struct Cycle {
    std::uint64_t sweeps = 0, done = 0;
    double hottest = 0;
    Stop::Clock::time_point begin = {};
  };

  bool prepare(const Stop& stop);
  bool soften(double penalty, const Stop& stop);
  Assignment random_assignment();
  void begin_cycle();
  void end_cycle(const Stop& stop);
  double temperature() const;
  void visit(VariableId v, double temperature, Work& work);
  Value draw(std::size_t cardinality, Value before, float moving);
  void settle(VariableId v) { unsettled_[v / 64] &= ~(std::uint64_t{1} << v % 64); }
  void unsettle_neighbours(VariableId v) {
    for (const VariableId u : graph_->markov_blanket(v)) unsettled_[u / 64] |= std::uint64_t{1} << u % 64;
  }

  const FactorGraph* graph_;
  Random random_;
  Stop::Clock::time_point deadline_ = Stop::Clock::time_point::max();
  ScoredAssignment best_;
  PartitionCrossover crossover_;
  std::optional<SoftTables> tables_;
  std::optional<ScoreRows> rows_;
  double spread_ = 0;  // of conditional scores at random assignments
  Cycle cycle_;
  std::uint64_t cycles_ = 0;
  std::vector<std::uint64_t> unsettled_;  // one bit per variable: likely enough to change to be worth a visit
  std::size_t next_word_ = 0;             // of unsettled_, in the current sweep
  std::vector<float> weights_;
};

}  // namespace fovea::graph
