// SPDX-License-Identifier: Apache-2.0
#include "fovea/graph/map/grid_search.h"

#include <algorithm>
#include <chrono>
#include <limits>

#include "fovea/base/seconds_since.h"

namespace fovea::graph {
namespace {

constexpr double kSafety = 0.9;
// Temperatures in multiples of the spread of pair scores: colour inpainting is annealed from .7 to .05 at .785.
constexpr double kHottestGrid = 0.9, kColdestGrid = 0.064;

double spread_of(const GridModel& grid) {
  float least = std::numeric_limits<float>::infinity(), most = -least;
  for (std::size_t direction = 0; direction < 4; ++direction)
    for (std::size_t k = 0; k < grid.label_count(); ++k)
      for (std::size_t m = 0; m < grid.label_count(); ++m) {
        const float score = grid.pair(static_cast<GridDirection>(direction), k)[m];
        if (score <= GridModel::kForbidden) continue;
        least = std::min(least, score);
        most = std::max(most, score);
      }
  return most > least ? static_cast<double>(most) - static_cast<double>(least) : 1;
}

}  // namespace

AnnealingPlan grid_annealing_plan(const GridModel& grid) {
  const double spread = spread_of(grid);
  return {.hottest = kHottestGrid * spread, .coldest = kColdestGrid * spread};
}

GridSearch::GridSearch(const FactorGraph& graph, const GridModel& grid, const StripRule& rule, const Random& random)
    : graph_(&graph),
      grid_(&grid),
      crossover_(graph),
      schedule_(grid, rule.table(), random),
      plan_(grid_annealing_plan(grid)) {}

Work GridSearch::run(std::uint64_t transitions, const Stop& stop) {
  Work spent;
  while (spent.transitions < transitions && !stop.requested()) {
    plan_.rounds = rounds_that_fit(stop);
    const auto start = Stop::Clock::now();
    schedule_.assign(Assignment(graph_->variable_count(), 0));
    spent += schedule_.anneal(plan_, stop);
    take(schedule_.labels());
    if (stop.requested()) break;
    seconds_per_round_ = seconds_since(start) / plan_.rounds;
    if (plan_.rounds == longest_) longest_ = std::min(2 * longest_, kMostRounds);
  }
  return spent;
}

/// A cycle that is cut short ends hot, for nothing. Longer cycles take less for a round, so that this errs on the safe
/// side.
std::uint32_t GridSearch::rounds_that_fit(const Stop& stop) const {
  if (!stop.has_deadline() || seconds_per_round_ == 0) return longest_;
  const double fitting = kSafety * stop.seconds_left() / seconds_per_round_;
  return fitting < longest_ ? std::max(static_cast<std::uint32_t>(fitting), kFirstRounds) : longest_;
}

void GridSearch::take(const Assignment& labels) {
  Assignment child = best_.found() ? best_.values : labels;
  crossover_.improve(child, labels);
  offer({.values = child, .score = graph_->log_score(child)});
}

void GridSearch::offer(const mcmc::ScoredAssignment& found) {
  if (found.score > best_.score) best_ = found;
}

std::vector<std::uint64_t> GridSearch::visits() const {
  const GridShape& shape = grid_->shape();
  std::vector<std::uint64_t> visits(shape.cells());
  for (std::size_t cell = 0; cell < visits.size(); ++cell) {
    const std::size_t row = cell / shape.columns, column = cell % shape.columns, colour = (row + column) & 1;
    visits[cell] = schedule_.visits()[grid_->strip_index(colour, row, column / 2 / kStripSites)];
  }
  return visits;
}

}  // namespace fovea::graph
