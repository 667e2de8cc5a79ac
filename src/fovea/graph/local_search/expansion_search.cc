// SPDX-License-Identifier: Apache-2.0
#include "fovea/graph/local_search/expansion_search.h"

#include <algorithm>

namespace fovea::graph {
namespace {

constexpr double kTemperatures[] = {.05, .1, .2};  // of perturbations, times the spread, chosen at random
constexpr int kPerturbingSweeps = 2;
constexpr std::size_t kVisitsBetweenLooks = 1024;  // at the clock

}  // namespace

ExpansionSearch::ExpansionSearch(const FactorGraph& graph, const Random& random, ScoredAssignment start)
    : graph_(&graph), random_(random), best_(std::move(start)), fusion_(graph), crossover_(graph) {}

void ExpansionSearch::offer(const ScoredAssignment& found) {
  if (found.score > best_.score) best_ = found;
}

Work ExpansionSearch::run(std::uint64_t transitions, const Stop& stop) {
  Work work;
  if (!rows_ && !prepare(stop)) return work;
  while (work.transitions < transitions && !stop.requested()) {
    if (unchanged_ >= labels_.size()) {
      end_descent();
      perturb(stop, work);
    }
    expand(labels_[next_label_], stop, work);
    next_label_ = (next_label_ + 1) % labels_.size();
  }
  record();
  return work;
}

bool ExpansionSearch::prepare(const Stop& stop) {
  tables_ = SoftTables::build(*graph_, default_violation_penalty(*graph_, stop), stop);
  if (!tables_) return false;
  Assignment start(graph_->variable_count());
  for (VariableId v = 0; v < start.size(); ++v) {
    const std::span<const double> row = tables_->unary_rows().subspan(tables_->row_begin(v), graph_->cardinality(v));
    start[v] = static_cast<Value>(std::ranges::max_element(row) - row.begin());
  }
  rows_.emplace(*tables_, best_.found() ? best_.values : start);
  double sum = 0;
  for (VariableId v = 0; v < graph_->variable_count(); ++v) {
    const auto [least, greatest] = std::ranges::minmax(rows_->row(v));
    sum += greatest - least;
  }
  spread_ = std::max(sum / static_cast<double>(std::max<std::size_t>(graph_->variable_count(), 1)), 1e-9);
  for (std::size_t k = 0; k < std::max<std::size_t>(graph_->max_cardinality(), 1); ++k)
    labels_.push_back(static_cast<Value>(k));
  return true;
}

void ExpansionSearch::expand(Value label, const Stop& stop, Work& work) {
  proposal_ = rows_->values();
  for (VariableId v = 0; v < proposal_.size(); ++v)
    if (label < graph_->cardinality(v)) proposal_[v] = label;
  work.transitions += std::max<std::size_t>(proposal_.size(), 1);
  work.oracle_calls += 1;
  unchanged_ = fusion_.fuse(*rows_, proposal_, stop) > 0 ? 0 : unchanged_ + 1;
}

/// Lets the best so far take over every part in which the current assignment is better.
void ExpansionSearch::record() {
  Assignment child = best_.found() ? best_.values : rows_->values();
  crossover_.improve(child, rows_->values());
  const double score = graph_->log_score(child);
  if (score > best_.score) best_ = {std::move(child), score};
}

void ExpansionSearch::end_descent() {
  record();
  if (best_.found()) rows_->assign(best_.values);
  for (std::size_t i = labels_.size(); i > 1; --i)
    std::swap(labels_[i - 1], labels_[random_.uniform_index(static_cast<std::uint32_t>(i))]);
  unchanged_ = 0;
}

void ExpansionSearch::perturb(const Stop& stop, Work& work) {
  const double temperature =
      spread_ * kTemperatures[random_.uniform_index(static_cast<std::uint32_t>(std::size(kTemperatures)))];
  for (int sweep = 0; sweep < kPerturbingSweeps; ++sweep)
    for (VariableId v = 0; v < graph_->variable_count(); ++v) {
      work.factors += heat_bath_.visit(*rows_, v, 1 / temperature, random_);
      if (v % kVisitsBetweenLooks == 0 && stop.requested()) return;
    }
  work.transitions += kPerturbingSweeps * graph_->variable_count();
}

}  // namespace fovea::graph
