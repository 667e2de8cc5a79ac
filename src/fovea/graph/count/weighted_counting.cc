// SPDX-License-Identifier: Apache-2.0
#include "fovea/graph/count/weighted_counting.h"

#include <algorithm>
#include <cmath>
#include <span>
#include <utility>
#include <vector>

#include "fovea/base/error.h"
#include "fovea/base/log_math.h"
#include "fovea/graph/count/clause_components.h"
#include "fovea/graph/count/clause_probing.h"
#include "fovea/graph/count/clause_trail.h"
#include "fovea/graph/count/clauses.h"
#include "fovea/graph/count/component_cache.h"

namespace fovea::graph {
namespace {

using internal::ClauseComponent;
using internal::ClauseComponents;
using internal::ClauseModel;
using internal::ClauseProbing;
using internal::ClauseTrail;
using internal::Literal;
using internal::SetHash;

class Counter {
 public:
  Counter(const FactorGraph& graph, const ClauseModel& model, const WeightedCountingOptions& options, const Stop& stop)
      : model_(model),
        index_(internal::index_clauses(model, stop)),
        trail_(model, options.max_learned, stop),
        probing_(index_, trail_),
        components_(graph, model, index_, trail_),
        cache_(options.cache_bytes),
        stop_(stop),
        max_decisions_(options.max_decisions) {}

  WeightedCount run() {
    const bool may_be_feasible = model_.constant != kImpossible && trail_.start() && probing_.probe_all(stop_);
    result_.log_z = may_be_feasible ? model_.constant + count_open(components_.whole(), 0) : kImpossible;
    return result_;
  }

 private:
  static constexpr std::size_t kMaxDepth = 3000;  // two stack frames each

  /// Log of the sum over everything open in `parent`, times the weight of everything decided in it.
  double count_open(const ClauseComponent& parent, std::size_t depth) {
    std::vector<ClauseComponent> parts;
    double sum = components_.split(parent, parts);
    const std::size_t cached_before = cached_.size();
    for (const ClauseComponent& part : parts) {
      if (sum == kImpossible) break;
      sum += count(part, depth);
    }
    // Learned clauses hold in the whole model: sums of siblings of an empty component may lack solutions.
    if (sum == kImpossible && parts.size() > 1) forget_since(cached_before);
    return sum;
  }

  double count(const ClauseComponent& component, std::size_t depth) {
    if (const double* known = cache_.find(component.hash)) {
      ++result_.cache_hits;
      return *known;
    }
    if (stop_.requested()) throw LimitError("time ran out in counting by search");
    if (result_.decisions >= max_decisions_) throw LimitError("no more decisions for counting by search");
    if (depth > kMaxDepth) throw LimitError("counting by search went too deep");
    double sum = kImpossible;
    for (const Literal literal : {component.decision, internal::negation(component.decision)}) {
      ++result_.decisions;
      if (trail_.decide(literal) && probing_.probe_last_level()) sum = add_logs(sum, count_open(component, depth + 1));
      trail_.retract();
    }
    remember(component.hash, sum);
    return sum;
  }

  void remember(const SetHash& hash, double sum) {
    if (cached_.size() >= cache_.capacity()) {
      cache_.clear();
      cached_.clear();
    }
    cache_.insert(hash, sum);
    cached_.push_back(hash);
  }

  void forget_since(std::size_t cached_before) {
    for (std::size_t i = cached_before; i < cached_.size(); ++i) cache_.erase(cached_[i]);
    cached_.resize(std::min(cached_before, cached_.size()));
  }

  const ClauseModel& model_;
  internal::ClauseIndex index_;
  ClauseTrail trail_;
  ClauseProbing probing_;
  ClauseComponents components_;
  internal::ComponentCache cache_;
  std::vector<SetHash> cached_;  // since the first component that is still being counted
  Stop stop_;
  std::uint64_t max_decisions_;
  WeightedCount result_;
};

}  // namespace

WeightedCount count_weighted(const FactorGraph& graph, const WeightedCountingOptions& options, const Stop& stop) {
  const ClauseModel model = internal::make_clauses(graph, stop);
  return Counter(graph, model, options, stop).run();
}

bool has_only_constraints(const FactorGraph& graph) {
  for (FactorId f = 0; f < graph.factor_count(); ++f) {
    const std::span<const double> table = graph.table(f);
    const auto first = std::ranges::find_if(table, [](double score) { return score != kImpossible; });
    const bool is_constraint =
        std::all_of(first, table.end(), [&](double s) { return s == *first || s == kImpossible; });
    if (graph.scope(f).size() > 1 && !is_constraint) return false;
  }
  return true;
}

}  // namespace fovea::graph
