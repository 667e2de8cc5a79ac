// SPDX-License-Identifier: Apache-2.0
#include "fovea/graph/local_search/block_kernel.h"

namespace fovea::graph {

BlockKernel::BlockKernel(const FactorGraph& graph, const BlockLimits& limits, double penalty)
    : graph_(&graph),
      limits_(limits),
      penalty_(penalty),
      place_(graph.variable_count(), kOutside),
      seen_(graph.variable_count(), 0) {}

void BlockKernel::begin_block() {
  for (const VariableId v : touched_) {
    seen_[v] = 0;
    place_[v] = kOutside;
  }
  touched_.clear();
  frontier_.clear();
  block_.clear();
  tables_.clear();
}

void BlockKernel::add_to_frontier(VariableId v) {
  seen_[v] = 1;
  touched_.push_back(v);
  frontier_.push_back(v);
}

/// Takes v into the block, or refuses it for good if its neighbours lie in no common bag: larger blocks will not bring
/// them together.
void BlockKernel::take_in(VariableId v) {
  parents_.clear();
  std::size_t entries = graph_->cardinality(v);
  for (const VariableId u : graph_->markov_blanket(v)) {
    if (place_[u] == kOutside) continue;
    parents_.push_back(place_[u]);
    entries *= graph_->cardinality(u);
    if (entries > limits_.bag_entries) return;
  }
  std::ranges::sort(parents_);
  if (!tables_.fits(parents_)) return;
  place_[v] = tables_.add(graph_->cardinality(v), parents_);
  block_.push_back(v);
  for (const VariableId u : graph_->markov_blanket(v))
    if (!seen_[u]) add_to_frontier(u);
}

void BlockKernel::fill_tables(const Assignment& values, double inverse_temperature) {
  tables_.forget_scores();
  for (BlockElimination::Place p = 0; p < block_.size(); ++p) {
    row_.assign(graph_->cardinality(block_[p]), 0);
    for (const FactorGraph::Incidence& incidence : graph_->incidences(block_[p])) {
      bool is_latest = true;
      for (const VariableId u : graph_->scope(incidence.factor))
        is_latest = is_latest && (place_[u] == kOutside || place_[u] <= p);
      if (is_latest) add_factor(p, incidence.factor, values);
    }
    strides_.assign(tables_.parents(p).size() + 1, 0);
    strides_.back() = 1;
    tables_.add_scores(p, row_.data(), strides_, -penalty_);
    if (inverse_temperature != 1) tables_.scale(p, inverse_temperature);
  }
}

/// Adds a factor to the table of p. A factor without parents of p goes to row_, which is added to the whole table once.
void BlockKernel::add_factor(BlockElimination::Place p, FactorId f, const Assignment& values) {
  const std::span<const VariableId> scope = graph_->scope(f);
  const std::span<const BlockElimination::Place> parents = tables_.parents(p);
  strides_.assign(parents.size() + 1, 0);
  std::size_t first = 0;
  for (std::size_t i = 0; i < scope.size(); ++i) {
    const std::size_t stride = graph_->strides(f)[i];
    const BlockElimination::Place place = place_[scope[i]];
    if (place == kOutside) first += stride * values[scope[i]];
    else if (place == p) strides_.back() = stride;
    else strides_[static_cast<std::size_t>(std::ranges::lower_bound(parents, place) - parents.begin())] = stride;
  }
  const double* scores = graph_->table(f).data() + first;
  if (std::ranges::any_of(std::span(strides_).first(parents.size()), [](std::size_t stride) { return stride > 0; }))
    return tables_.add_scores(p, scores, strides_, -penalty_);
  for (std::size_t k = 0; k < row_.size(); ++k) {
    const double score = scores[k * strides_.back()];
    row_[k] += score == -std::numeric_limits<double>::infinity() ? -penalty_ : score;
  }
}

void BlockKernel::maximise(Assignment& values) {
  fill_tables(values, 1);
  tables_.eliminate_by_maximum();
  draw_values(values, [](std::span<const double> row) {
    return static_cast<Value>(std::ranges::max_element(row) - row.begin());
  });
}

}  // namespace fovea::graph
