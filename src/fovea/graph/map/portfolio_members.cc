// SPDX-License-Identifier: Apache-2.0
#include "fovea/graph/map/portfolio_members.h"

#include <algorithm>
#include <chrono>
#include <iterator>
#include <limits>

#include "fovea/base/run_control.h"

namespace fovea::graph {
namespace {

constexpr double kInverseTemperatures[] = {1, 1.5, 2, 3, 5, 8};  // of the first episodes in turn; then at random
constexpr std::uint64_t kLengths[] = {100, 30, 10};              // in iterations: the longest first, then at random
constexpr std::uint32_t kMostDiscouraged = 3;                    // variables
constexpr double kDiscouragement = -3;                           // log domain, at inverse temperature 1

template <class T, std::size_t n>
T choose(const T (&options)[n], Random& random) {
  return options[random.uniform_index(static_cast<std::uint32_t>(n))];
}

}  // namespace

Work BeliefSearch::run(std::uint64_t transitions, const Stop& stop) {
  const std::uint64_t visits = std::max<std::uint64_t>(graph_->variable_count(), 1);  // of one iteration
  Work spent;
  while (spent.transitions < transitions && !is_finished_ && !stop.requested()) {
    if (is_decoding_) {
      decode(stop);
      spent.transitions += visits;
      continue;
    }
    const std::uint64_t before = beliefs_.iterations();
    const std::uint64_t affordable = (transitions - spent.transitions) / visits + 1;
    Work work = beliefs_.run(std::min(affordable, next_decoding_ - before), stop);
    work.transitions = (beliefs_.iterations() - before) * visits;
    spent += work;
    if (beliefs_.is_infeasible()) is_finished_ = true;
    else is_decoding_ = beliefs_.iterations() >= next_decoding_ || beliefs_.is_converged();
  }
  return spent;
}

/// Decodes an assignment. A decoding that was cut short starts anew in the next round.
void BeliefSearch::decode(const Stop& stop) {
  const ScoredAssignment decoded = beliefs_.decode(stop);
  if (stop.requested() && !decoded.found()) return;
  if (decoded.found()) record(decoded);
  is_decoding_ = false;
  next_decoding_ = 2 * beliefs_.iterations();
  if (beliefs_.is_converged() || beliefs_.iterations() >= length_) begin_episode();
}

void BeliefSearch::record(const ScoredAssignment& decoded) {
  if (!best_.found()) {
    best_ = decoded;
    return;
  }
  Assignment child = best_.values;
  if (crossover_.improve(child, decoded.values) == 0) return;
  const double score = graph_->log_score(child);
  if (score > best_.score) best_ = {std::move(child), score};
}

void BeliefSearch::begin_episode() {
  const bool is_drawn = ++episode_ >= std::size(kInverseTemperatures);
  const double inverse_temperature = is_drawn ? choose(kInverseTemperatures, random_) : kInverseTemperatures[episode_];
  length_ = is_drawn ? choose(kLengths, random_) : kLengths[0];
  next_decoding_ = length_;
  beliefs_.restart(inverse_temperature, is_drawn ? discourage_some(kDiscouragement * inverse_temperature)
                                                 : std::vector<BeliefPropagation::Favour>{});
}

std::vector<BeliefPropagation::Favour> BeliefSearch::discourage_some(double score) {
  std::vector<BeliefPropagation::Favour> favours;
  if (!best_.found() || graph_->variable_count() == 0) return favours;
  for (std::uint32_t i = random_.uniform_index(kMostDiscouraged) + 1; i > 0; --i) {
    const auto v = random_.uniform_index(static_cast<std::uint32_t>(graph_->variable_count()));
    favours.push_back({.variable = v, .value = best_.values[v], .score = score});
  }
  return favours;
}

namespace {

constexpr double kSafety = 0.9;
// Temperatures in multiples of the spread of pair scores: colour inpainting is annealed from .7 to .05 at a spread of
// .785.
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

/// Number of rounds that fit the time left. A cycle that is cut short ends hot, in vain. Longer cycles take less time
/// per round, so this errs on the safe side.
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

void GridSearch::offer(const ScoredAssignment& found) {
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
