// SPDX-License-Identifier: Apache-2.0
#include "fovea/graph/branch_and_bound/branch_and_bound.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "fovea/base/error.h"
#include "fovea/base/log_math.h"
#include "fovea/base/run_control.h"

namespace fovea::graph {
namespace {

constexpr std::size_t kFirstBoundEntries = std::size_t{1} << 18;
constexpr std::size_t kBoundGrowth = 8;
/// Number of table entries that take as long to make as a node takes to search, so that a stage is half bounds, half
/// search.
constexpr std::size_t kEntriesPerNode = 32;
/// Cost shifting: entries of the clusters, maximum number of sweeps, and the least gain, relative to the bound, that is
/// worth another sweep.
constexpr std::size_t kClusterEntries = std::size_t{1} << 12;
constexpr int kMaxSweeps = 200;
constexpr double kLeastGain = 1e-3;
/// Overestimation of the search: about the difference between neighbouring bounds, in units of log score.
constexpr double kOverestimation = 1;

/// Looks at the clock now and then while the search is set up; throws LimitError if it is late.
void spend(std::size_t entries, StopMeter& meter, const Stop& stop) {
  if (meter.is_late(entries, stop)) throw LimitError("the tables of branch and bound took too long to set up");
}

/// Largest sum of magnitudes that a score may be made of; its rounding error is far below 1e-12 of this.
double score_magnitude(const FactorGraph& graph, const Stop& stop) {
  StopMeter meter;
  std::vector<double> largest(graph.table_count(), 0);
  for (TableId t = 0; t < graph.table_count(); ++t) {
    spend(graph.shared_table(t).size(), meter, stop);
    for (const double score : graph.shared_table(t))
      if (std::isfinite(score)) largest[t] = std::max(largest[t], std::abs(score));
  }
  double sum = 0;
  for (FactorId f = 0; f < graph.factor_count(); ++f) sum += largest[graph.table_id(f)];
  return std::max(1.0, sum);
}

std::vector<ScopedTable> copy_factors(const FactorGraph& graph, const Stop& stop) {
  StopMeter meter;
  std::vector<ScopedTable> factors;
  for (FactorId f = 0; f < graph.factor_count(); ++f) {
    spend(graph.table(f).size(), meter, stop);
    factors.push_back({.scope = {graph.scope(f).begin(), graph.scope(f).end()},
                       .entries = {graph.table(f).begin(), graph.table(f).end()}});
  }
  return factors;
}

}  // namespace

BranchAndBound::BranchAndBound(const FactorGraph& graph, std::span<const VariableId> order,
                               const BranchAndBoundOptions& options, const Stop& stop)
    : graph_(&graph),
      tolerance_(1e-9 * score_magnitude(graph, stop)),
      tree_(graph, order, options.memory_bytes / sizeof(VariableId), stop),
      factors_(copy_factors(graph, stop)),
      sweeps_left_(kMaxSweeps),
      shifted_bound_(std::numeric_limits<double>::infinity()),
      max_bound_entries_(std::max<std::size_t>(1, options.memory_bytes / 2 / sizeof(double))),
      bound_entries_(std::min(kFirstBoundEntries, max_bound_entries_)),
      bounds_(tree_, factors_),
      cache_(options.memory_bytes / 2),
      search_(tree_, bounds_, cache_, kOverestimation, tolerance_),
      reader_(search_),
      upper_bound_(std::numeric_limits<double>::infinity()) {}

Work BranchAndBound::run(std::uint64_t nodes, const Stop& stop) {
  const std::uint64_t before = node_count();
  while (!is_finished_ && node_count() < before + nodes && !stop.requested()) {
    if (!has_bounds_ && !make_bounds(stop)) break;
    const std::uint64_t left = nodes - std::min(nodes, node_count() - before);
    if (is_root_solved_) extract(left, stop);
    else search(left, stop);
  }
  return {.transitions = node_count() - before};
}

bool BranchAndBound::shift_costs(const Stop& stop) {
  if (!shifting_)
    shifting_ = std::make_unique<JoinGraphShifting>(tree_, factors_, std::min(kClusterEntries, max_bound_entries_));
  for (; sweeps_left_ > 0; --sweeps_left_) {
    if (!shifting_->sweep(stop)) return false;
    const double bound = shifting_->bound();
    if (!(shifted_bound_ - bound > kLeastGain * std::abs(bound))) break;
    shifted_bound_ = bound;
  }
  sweeps_left_ = 0;
  factors_ = shifting_->clusters();
  shifting_.reset();
  bounds_ = SubproblemBounds(tree_, factors_);
  return true;
}

bool BranchAndBound::make_bounds(const Stop& stop) {
  if (sweeps_left_ > 0 && !shift_costs(stop)) return false;
  if (!buckets_) buckets_ = std::make_unique<MiniBuckets>(tree_, factors_, bound_entries_);
  if (!buckets_->advance(stop)) return false;
  bounds_.set_bounds(*buckets_);
  has_bounds_ = true;
  const bool is_last = buckets_->is_exact() || bound_entries_ == max_bound_entries_;
  stage_end_ =
      is_last ? std::numeric_limits<std::uint64_t>::max() : search_.node_count() + bound_entries_ / kEntriesPerNode;
  dive(stop);
  return true;
}

void BranchAndBound::search(std::uint64_t nodes, const Stop& stop) {
  if (!search_.is_active()) search_.start(tree_.root(), best_.score);
  const std::uint64_t end = std::min({search_.node_count() + nodes, stage_end_, next_dive_});
  is_root_solved_ = search_.advance(end, stop);
  lower_upper_bound(search_.bound());
  if (is_finished_ || is_root_solved_) return;
  if (search_.node_count() >= next_dive_) dive(stop);
  if (search_.node_count() < stage_end_) return;
  bound_entries_ = std::min(bound_entries_ * kBoundGrowth, max_bound_entries_);
  search_.finish();
  buckets_.reset();
  has_bounds_ = false;
}

void BranchAndBound::lower_upper_bound(double bound) {
  upper_bound_ = std::min(upper_bound_, std::max(bound, best_.score));
  is_finished_ = upper_bound_ <= best_.score + tolerance_ || upper_bound_ == kImpossible;
}

/// Reads the optimal values off the cache from the top down, searching again where the cache has forgotten them.
void BranchAndBound::extract(std::uint64_t nodes, const Stop& stop) {
  const auto order = tree_.top_down();
  const std::uint64_t end = reader_.node_count() + nodes;
  if (extracted_ == 0 && !reader_.is_active()) std::ranges::fill(reader_.values(), Value{0});
  for (; extracted_ < order.size(); ++extracted_) {
    if (!reader_.is_active()) reader_.start(order[extracted_], kImpossible);
    if (!reader_.advance(end, stop)) return;
    reader_.values()[order[extracted_]] = reader_.finish().value;
  }
  offer_values_read();
  is_finished_ = true;
}

/// Follows the value with the highest bound at every variable down to an assignment.
void BranchAndBound::dive(const Stop& stop) {
  next_dive_ = search_.node_count() + search_.node_count() / 4 + tree_.root();
  for (const VariableId v : tree_.top_down()) {
    if (stop.requested()) return;
    const Value value = reader_.look(v).value;
    reader_.values()[v] = value;
  }
  offer_values_read();
}

void BranchAndBound::offer_values_read() {
  Assignment values(reader_.values().begin(), reader_.values().end() - 1);
  const double score = graph_->log_score(values);
  offer({.values = std::move(values), .score = score});
}

void BranchAndBound::offer(const ScoredAssignment& found) {
  if (!(found.score > best_.score)) return;
  best_ = found;
  search_.finish();  // it may prune more from now on
  lower_upper_bound(upper_bound_);
}

}  // namespace fovea::graph
