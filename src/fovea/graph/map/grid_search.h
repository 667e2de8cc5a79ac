// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "fovea/graph/grid/strip_rule.h"
#include "fovea/graph/grid/strip_schedule.h"
#include "fovea/graph/local_search/crossover.h"
#include "fovea/graph/local_search/searcher.h"

namespace fovea::graph {

/// Temperatures for a grid, in proportion to the spread of its pair scores.
AnnealingPlan grid_annealing_plan(const GridModel& grid);

/// Vectorised annealing of a grid, strips of it chosen by a rule (StripSchedule), as a member of a portfolio. Works on
/// the model as it was asked about, because simplification would take it off its grid, and speaks to the others in
/// terms of the simplified one. Cycles become twice as long, as far as they fit a round's time; each ends with the best
/// assignment taking over every part in which the cycle did better.
class GridSearch final : public Searcher {
 public:
  /// `graph` is the model that `grid` was detected in. Both must outlive the searcher.
  GridSearch(const FactorGraph& graph, const GridModel& grid, const StripRule& rule, const Random& random);

  const char* name() const override { return "grid annealing"; }
  Work run(std::uint64_t transitions, const Stop& stop) override;
  const mcmc::ScoredAssignment& best() const override { return best_; }
  void offer(const mcmc::ScoredAssignment& found) override;

  /// [cell]: how often its strip was visited.
  std::vector<std::uint64_t> visits() const;

 private:
  static constexpr std::uint32_t kFirstRounds = 100, kMostRounds = 100'000;

  void take(const Assignment& labels);
  std::uint32_t rounds_that_fit(const Stop& stop) const;

  const FactorGraph* graph_;
  const GridModel* grid_;
  PartitionCrossover crossover_;
  StripSchedule schedule_;
  AnnealingPlan plan_;  // of the next cycle
  std::uint32_t longest_ = kFirstRounds;
  double seconds_per_round_ = 0;  // of the last cycle
  mcmc::ScoredAssignment best_;
};

}  // namespace fovea::graph
