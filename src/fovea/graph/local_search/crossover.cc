// SPDX-License-Identifier: Apache-2.0
#include "fovea/graph/local_search/crossover.h"

#include <utility>

#include "fovea/base/log_math.h"

namespace fovea::graph {

PartitionCrossover::PartitionCrossover(const FactorGraph& graph)
    : graph_(&graph), seen_(graph.variable_count(), 0), counted_(graph.factor_count(), 0) {}

std::size_t PartitionCrossover::improve(std::span<Value> parent, std::span<const Value> other) {
  std::size_t changed = 0;
  std::vector<VariableId> differing;
  for (VariableId v = 0; v < parent.size(); ++v)
    if (parent[v] != other[v]) differing.push_back(v);
  for (const VariableId seed : differing) {
    if (seen_[seed]) continue;
    collect_component(seed, parent, other);
    if (!other_is_better(parent, other)) continue;
    for (const VariableId v : component_) parent[v] = other[v];
    ++changed;
  }
  for (const VariableId v : differing) seen_[v] = 0;
  return changed;
}

void PartitionCrossover::collect_component(VariableId seed, std::span<const Value> parent,
                                           std::span<const Value> other) {
  component_.assign(1, seed);
  seen_[seed] = 1;
  for (std::size_t i = 0; i < component_.size(); ++i)
    for (const VariableId u : graph_->markov_blanket(component_[i])) {
      if (parent[u] == other[u] || std::exchange(seen_[u], std::uint8_t{1})) continue;
      component_.push_back(u);
    }
}

bool PartitionCrossover::other_is_better(std::span<const Value> parent, std::span<const Value> other) {
  factors_.clear();
  for (const VariableId v : component_)
    for (const FactorGraph::Incidence& incidence : graph_->incidences(v))
      if (!std::exchange(counted_[incidence.factor], std::uint8_t{1})) factors_.push_back(incidence.factor);
  std::int64_t mended = 0;
  double gain = 0;
  for (const FactorId f : factors_) {
    counted_[f] = 0;
    const double before = graph_->factor_score(f, parent), after = graph_->factor_score(f, other);
    mended += (before == kImpossible) - (after == kImpossible);
    gain += (after == kImpossible ? 0 : after) - (before == kImpossible ? 0 : before);
  }
  return mended > 0 || (mended == 0 && gain > 0);
}

}  // namespace fovea::graph
