// SPDX-License-Identifier: Apache-2.0
#include "fovea/graph/local_search/tabu_search.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace fovea::graph {
namespace {

constexpr std::size_t kMostValues = 4096;                       // of all variables together
constexpr std::size_t kSparsest = 2;                            // at most this many variables per neighbour of one
constexpr std::uint32_t kLeastTenure = 10, kTenureSpread = 11;  // in steps: drawn from [least, least + spread)
constexpr std::uint64_t kPatience = 300;                        // steps of a walk without improvement
constexpr std::uint64_t kWalksToStiffen = 8;                    // without a feasible assignment
constexpr double kTabuPenaltyGrowth = 4;
constexpr double kTabuRounding = 1e-11;           // a smaller relative gain may be the noise of incremental sums
constexpr std::uint64_t kStepsBetweenLooks = 16;  // at the clock

}  // namespace

bool TabuSearch::accepts(const FactorGraph& graph) {
  const auto cardinalities = graph.cardinalities();
  const std::size_t count = cardinalities.size();
  if (std::accumulate(cardinalities.begin(), cardinalities.end(), std::size_t{0}) > kMostValues) return false;
  std::size_t neighbours = 0;
  for (VariableId v = 0; v < count; ++v) neighbours += graph.markov_blanket(v).size();
  return neighbours * kSparsest >= count * (count - std::min<std::size_t>(count, 1));
}

Work TabuSearch::run(std::uint64_t transitions, const Stop& stop) {
  Work work;
  if (!rows_ && !prepare(stop)) return work;
  const std::uint64_t visits = std::max<std::uint64_t>(graph_->variable_count(), 1);
  for (std::uint64_t done = 0; work.transitions < transitions; ++done) {
    if (done % kStepsBetweenLooks == 0 && stop.requested()) break;
    if (steps_ - last_improvement_ > kPatience && !begin_walk(stop)) break;
    step();
    work.transitions += visits;
    work.factors += tables_->row_total();
  }
  return work;
}

bool TabuSearch::prepare(const Stop& stop) {
  return soften(default_violation_penalty(*graph_, stop), stop) && begin_walk(stop);
}

bool TabuSearch::soften(double penalty, const Stop& stop) {
  if (stop.requested()) return false;
  std::optional<SoftTables> tables = SoftTables::build(*graph_, penalty, stop);
  if (!tables) return false;
  rows_.reset();
  tables_ = std::move(tables);
  return true;
}

/// Begins a new walk at random. Returns false if `stop` was requested first.
bool TabuSearch::begin_walk(const Stop& stop) {
  const bool is_hopeless = walks_ > 0 && walks_ % kWalksToStiffen == 0 && !best_.found();
  if (is_hopeless && !soften(tables_->penalty() * kTabuPenaltyGrowth, stop)) return false;
  ++walks_;
  Assignment values;
  for (const std::uint32_t cardinality : graph_->cardinalities())
    values.push_back(static_cast<Value>(random_.uniform_index(cardinality)));
  rows_.emplace(*tables_, std::move(values));
  descend_greedily(*rows_, stop);
  free_from_.assign(tables_->row_total(), 0);
  steps_ = last_improvement_ = 0;
  walk_best_ = rows_->score();
  record();
  return true;
}

std::optional<TabuSearch::Move> TabuSearch::best_move() const {
  const double needed = walk_best_ + kTabuRounding * (1 + std::abs(walk_best_)) - rows_->score();
  std::optional<Move> best;
  for (VariableId v = 0; v < graph_->variable_count(); ++v) {
    const std::span<const double> row = rows_->row(v);
    const std::uint64_t* free_from = free_from_.data() + tables_->row_begin(v);
    const Value now = rows_->values()[v];
    for (std::size_t k = 0; k < row.size(); ++k) {
      const double gain = row[k] - row[now];
      if (k == now || (best && gain <= best->gain)) continue;
      if (free_from[k] > steps_ && gain <= needed) continue;
      best = Move{.variable = v, .value = static_cast<Value>(k), .gain = gain};
    }
  }
  return best;
}

void TabuSearch::step() {
  ++steps_;
  const std::optional<Move> move = best_move();
  if (!move) return;
  const Value given_up = rows_->values()[move->variable];
  rows_->assign(move->variable, move->value);
  free_from_[tables_->row_begin(move->variable) + given_up] =
      steps_ + kLeastTenure + random_.uniform_index(kTenureSpread);
  if (!(rows_->score() > walk_best_ + kTabuRounding * (1 + std::abs(walk_best_)))) return;
  walk_best_ = rows_->score();
  last_improvement_ = steps_;
  record();
}

/// Scores are softened and rounded, so only an improvement by the model's own score counts.
void TabuSearch::record() {
  if (!(rows_->score() > best_.score)) return;
  const double score = graph_->log_score(rows_->values());
  if (score > best_.score) best_ = {.values = rows_->values(), .score = score};
}

}  // namespace fovea::graph
