// SPDX-License-Identifier: Apache-2.0
#include "fovea/graph/local_search/block_search.h"

#include <algorithm>
#include <cmath>

#include "fovea/graph/tables/soft_tables.h"

namespace fovea::graph {
namespace {

constexpr double kHottestBlocks = .25, kColdestBlocks = .03;  // times the spread
constexpr double kBlockReheats[] = {1, .7, .5};               // times the hottest: where cycles begin, in turn
constexpr std::uint64_t kFirstBlockSweeps = 16, kBlockCyclesToDouble = 10;
constexpr double kMaximisingShare = .15;  // of a cycle, at its end
constexpr double kBlockPenaltyGrowth = 4;
constexpr std::size_t kSpreadSample = 1000;  // variables

}  // namespace

BlockSearch::BlockSearch(const FactorGraph& graph, const Random& random, ScoredAssignment start)
    : graph_(&graph), random_(random), best_(std::move(start)), crossover_(graph) {}

void BlockSearch::offer(const ScoredAssignment& found) {
  if (found.score > best_.score) best_ = found;
}

Work BlockSearch::run(std::uint64_t transitions, const Stop& stop) {
  Work work;
  if (graph_->variable_count() == 0) {
    best_ = {{}, graph_->log_score({})};
    return work;
  }
  if (!kernel_ && !prepare(stop)) return work;
  while (work.transitions < transitions && !stop.requested()) {
    move(work);
    if (cycle_done_ >= cycle_length_) end_cycle();
  }
  return work;
}

/// Prepares all or nothing; starts anew in the next round if `stop` was requested.
bool BlockSearch::prepare(const Stop& stop) {
  penalty_ = default_violation_penalty(*graph_, stop);
  if (stop.requested()) return false;
  for (const std::uint32_t cardinality : graph_->cardinalities())
    values_.push_back(static_cast<Value>(random_.uniform_index(cardinality)));
  std::vector<double> scores(graph_->max_cardinality());
  const std::size_t sampled = std::min(values_.size(), kSpreadSample);
  for (std::size_t i = 0; i < sampled; ++i) {
    const auto v = static_cast<VariableId>(i * values_.size() / sampled);
    const std::span<double> row(scores.data(), graph_->cardinality(v));
    graph_->conditional_scores(v, values_, row);
    for (double& score : row) score = std::max(score, -penalty_);
    const auto [least, greatest] = std::ranges::minmax(row);
    spread_ += (greatest - least) / static_cast<double>(sampled);
  }
  spread_ = std::max(spread_, 1e-9);
  kernel_.emplace(*graph_, BlockLimits{}, penalty_);
  begin_cycle();
  return true;
}

void BlockSearch::begin_cycle() {
  if (best_.found()) values_ = best_.values;
  cycle_length_ = values_.size() * (kFirstBlockSweeps + kFirstBlockSweeps * cycles_ / kBlockCyclesToDouble);
  cycle_done_ = 0;
  hottest_ = spread_ * kHottestBlocks * kBlockReheats[cycles_++ % std::size(kBlockReheats)];
}

void BlockSearch::end_cycle() {
  Assignment child = best_.found() ? best_.values : values_;
  crossover_.improve(child, values_);
  const double score = graph_->log_score(child);
  if (score > best_.score) best_ = {std::move(child), score};
  if (!best_.found()) kernel_.emplace(*graph_, BlockLimits{}, penalty_ *= kBlockPenaltyGrowth);
  begin_cycle();
}

double BlockSearch::progress() const { return static_cast<double>(cycle_done_) / static_cast<double>(cycle_length_); }

void BlockSearch::move(Work& work) {
  const auto seed = static_cast<VariableId>(random_.uniform_index(static_cast<std::uint32_t>(values_.size())));
  const std::size_t size = kernel_->grow(seed, random_).size();
  const double cooled = progress() / (1 - kMaximisingShare);
  if (cooled >= 1) kernel_->maximise(values_);
  else kernel_->sample(values_, random_, std::pow(hottest_ / (kColdestBlocks * spread_), cooled) / hottest_);
  cycle_done_ += size;
  work.transitions += size;
  ++work.oracle_calls;
}

}  // namespace fovea::graph
