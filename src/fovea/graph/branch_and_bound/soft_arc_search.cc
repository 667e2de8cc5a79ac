// SPDX-License-Identifier: Apache-2.0
#include "fovea/graph/branch_and_bound/soft_arc_search.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "fovea/base/log_math.h"

namespace fovea::graph {
namespace {

constexpr std::size_t kHalvedFrom = 8;  // values

std::size_t support_of(const SoftArcBounds& bounds, VariableId v, std::size_t size) {
  std::size_t best = 0;
  for (std::size_t a = 1; a < size; ++a)
    if (bounds.unary(v, a) < bounds.unary(v, best)) best = a;
  return best;
}

}  // namespace

bool SoftArcSearch::is_for(const FactorGraph& graph, std::size_t memory_bytes) {
  constexpr double kMostCost = 4e15;  // of an assignment: sums of whole numbers below it are exact
  double entries = 0, depth = 0, cost = 0;
  for (FactorId f = 0; f < graph.factor_count(); ++f) {
    if (graph.scope(f).size() > 2) return false;
    double largest = 0;
    for (const double score : graph.table(f)) {
      if (score == kImpossible) continue;
      if (score != std::floor(score)) return false;
      largest = std::max(largest, std::abs(score));
    }
    cost += largest;
    entries += static_cast<double>(graph.table(f).size());
  }
  for (VariableId v = 0; v < graph.variable_count(); ++v)
    depth += kHalvedFrom + std::log2(static_cast<double>(graph.cardinality(v)) + 1);
  return graph.variable_count() > 0 && cost < kMostCost &&
         entries * sizeof(double) * depth < static_cast<double>(memory_bytes);
}

SoftArcSearch::SoftArcSearch(const FactorGraph& graph)
    : graph_(&graph), layout_(graph), failures_(graph.variable_count()) {
  nodes_.emplace_back(layout_, graph);
}

/// Costs are whole, so anything better than the best costs at least 1 less.
double SoftArcSearch::limit() const { return best_.found() ? -best_.score - 1 : std::numeric_limits<double>::max(); }

void SoftArcSearch::offer(const ScoredAssignment& found) {
  if (found.found() && (!best_.found() || found.score > best_.score)) best_ = found;
}

double SoftArcSearch::upper_bound() const {
  double least = best_.found() ? -best_.score : kInfinity;
  for (const SoftArcBounds& node : nodes_) least = std::min(least, node.bound());
  return -least;
}

Work SoftArcSearch::run(std::uint64_t revisions, const Stop& stop) {
  const std::uint64_t before = revisions_;
  while (!nodes_.empty() && revisions_ - before < revisions && !stop.requested()) expand(stop);
  return {.transitions = revisions_ - before};
}

void SoftArcSearch::expand(const Stop& stop) {
  SoftArcBounds bounds = std::move(nodes_.back());
  nodes_.pop_back();
  ++revisions_;
  VariableId culprit = 0;
  if (!bounds.propagate(limit(), stop, revisions_, culprit)) {
    ++failures_[culprit];
    return;
  }
  if (stop.requested()) return nodes_.push_back(std::move(bounds));  // the next round continues here
  take_supports(bounds);
  if (bounds.bound() > limit()) return;
  const VariableId v = choose(bounds);
  if (bounds.count(v) > 1) branch(bounds, v);
}

void SoftArcSearch::take_supports(const SoftArcBounds& bounds) {
  Assignment values;
  for (VariableId v = 0; v < layout_.cardinalities.size(); ++v)
    values.push_back(static_cast<Value>(support_of(bounds, v, layout_.cardinalities[v])));
  const double score = graph_->log_score(values);
  offer({.values = score > kImpossible ? std::move(values) : Assignment(), .score = score});
}

/// Returns a variable with a single value only if no variable has more.
VariableId SoftArcSearch::choose(const SoftArcBounds& bounds) const {
  VariableId chosen = 0;
  double least = kInfinity;
  for (VariableId v = 0; v < failures_.size(); ++v) {
    if (bounds.count(v) < 2) continue;
    const double size =
        static_cast<double>(bounds.count(v)) / (1 + failures_[v] + static_cast<double>(layout_.sides[v].size()));
    if (size < least) {
      least = size;
      chosen = v;
    }
  }
  return chosen;
}

void SoftArcSearch::branch(const SoftArcBounds& bounds, VariableId v) {
  const std::size_t size = layout_.cardinalities[v], support = support_of(bounds, v, size);
  std::vector<bool> is_chosen(size);
  if (bounds.count(v) < kHalvedFrom) {
    is_chosen[support] = true;
  } else {
    const std::size_t half = bounds.count(v) / 2;
    std::size_t seen = 0, support_place = 0;
    for (std::size_t a = 0; a < size; ++a) {
      if (bounds.unary(v, a) == kInfinity) continue;
      if (a == support) support_place = seen;
      is_chosen[a] = seen++ < half;
    }
    if (support_place >= half) is_chosen.flip();
  }
  SoftArcBounds other = bounds, chosen = bounds;
  for (std::size_t a = 0; a < size; ++a) (is_chosen[a] ? other : chosen).forbid(v, a);
  nodes_.push_back(std::move(other));
  nodes_.push_back(std::move(chosen));
}

}  // namespace fovea::graph
