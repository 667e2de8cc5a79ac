// SPDX-License-Identifier: Apache-2.0
#include "fovea/exact/weighted_counting.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

#include "fovea/base/error.h"
#include "fovea/exact/component_cache.h"
#include "fovea/exact/nogood_trail.h"
#include "fovea/exact/nogoods.h"

namespace fovea {
namespace {

using internal::LiteralId;
using internal::NogoodModel;
using internal::NogoodTrail;
using internal::SetHash;

constexpr double kImpossible = -std::numeric_limits<double>::infinity();

double add_logs(double a, double b) {
  const double high = std::max(a, b);
  return high == kImpossible ? high : high + std::log1p(std::exp(std::min(a, b) - high));
}

/// Open variables that constraints or tables connect, and a hash of all that is left of these.
struct Component {
  std::vector<VariableId> variables = {};
  SetHash hash = {};
  VariableId decision = 0;  ///< the variable to decide next
};

class Counter {
 public:
  Counter(const FactorGraph& graph, const NogoodModel& model, double cache_bytes, const Stop& stop)
      : graph_(graph),
        model_(model),
        trail_(graph, model),
        cache_(cache_bytes),
        stop_(stop),
        seen_variables_(graph.variable_count(), 0),
        seen_nogoods_(model.nogoods.size(), 0),
        seen_soft_(model.soft_factors.size(), 0) {}

  WeightedCount run() {
    std::vector<VariableId> all;
    for (VariableId v = 0; v < graph_.variable_count(); ++v) all.push_back(v);
    result_.log_z = trail_.is_consistent() ? trail_.score() + count_open(all, 0) : kImpossible;
    return result_;
  }

 private:
  static constexpr std::size_t kMaxDepth = 20000;  // a frame of the stack each

  /// Log of the sum over all values of what is open among `variables`.
  double count_open(const std::vector<VariableId>& variables, std::size_t depth) {
    double sum = 0;
    for (const Component& component : find_components(variables, sum)) {
      if (sum == kImpossible) break;
      sum += count(component, depth);
    }
    return sum;
  }

  double count(const Component& component, std::size_t depth) {
    if (const double* known = cache_.find(component.hash)) {
      ++result_.cache_hits;
      return *known;
    }
    if (stop_.requested()) throw LimitError("time ran out in counting by search");
    if (depth > kMaxDepth) throw LimitError("counting by search went too deep");
    const VariableId v = component.decision;
    double sum = kImpossible;
    for (LiteralId l = model_.first_literal[v]; l < model_.first_literal[v + 1]; ++l) {
      if (!trail_.is_alive(l)) continue;
      ++result_.decisions;
      const NogoodTrail::Mark mark = trail_.mark();
      if (trail_.decide(l)) {
        const double decided = trail_.score() - mark.score;
        sum = add_logs(sum, decided + count_open(component.variables, depth + 1));
      }
      trail_.undo(mark);
    }
    cache_.insert(component.hash, sum);
    return sum;
  }

  /// The components of `variables` that are open; the weights of free variables are added to `free_sum` instead.
  std::vector<Component> find_components(const std::vector<VariableId>& variables, double& free_sum) {
    ++stamp_;
    std::vector<Component> components;
    for (const VariableId v : variables) {
      if (!trail_.is_open(v) || seen_variables_[v] == stamp_) continue;
      Component component = grow(v);
      const bool is_free = component.variables.size() == 1 && trail_.soft_factors_of(v).empty();
      if (!is_free) components.push_back(std::move(component));
      else free_sum += free_weight(v);
    }
    // Small ones first: they may turn out to have no solution.
    std::ranges::stable_sort(components, {}, [](const Component& c) { return c.variables.size(); });
    return components;
  }

  double free_weight(VariableId v) const {
    double sum = kImpossible;
    for (LiteralId l = model_.first_literal[v]; l < model_.first_literal[v + 1]; ++l)
      if (trail_.is_alive(l)) sum = add_logs(sum, model_.weights[l]);
    return sum;
  }

  Component grow(VariableId start) {
    Component component;
    component.variables.push_back(start);
    seen_variables_[start] = stamp_;
    std::size_t most = 0;
    for (std::size_t i = 0; i < component.variables.size(); ++i) {
      const VariableId v = component.variables[i];
      std::size_t connections = 0;
      for (LiteralId l = model_.first_literal[v]; l < model_.first_literal[v + 1]; ++l) {
        if (!trail_.is_alive(l)) continue;
        component.hash.add(l);
        for (const std::uint32_t n : trail_.nogoods_of(l))
          if (trail_.is_active(n)) {
            visit_nogood(n, component);
            ++connections;
          }
      }
      for (const std::uint32_t s : trail_.soft_factors_of(v)) {
        visit_soft_factor(s, component);
        ++connections;
      }
      if (i == 0 || connections > most) most = connections, component.decision = v;
    }
    return component;
  }

  void add_variable(VariableId v, Component& component) {
    if (std::exchange(seen_variables_[v], stamp_) != stamp_) component.variables.push_back(v);
  }

  void visit_nogood(std::uint32_t n, Component& component) {
    if (std::exchange(seen_nogoods_[n], stamp_) == stamp_) return;
    SetHash open;
    for (const LiteralId l : model_.nogoods[n])
      if (trail_.is_open(model_.variable_of[l])) {
        open.add(l);
        add_variable(model_.variable_of[l], component);
      }
    // A nogood without true literals follows from the set of variables.
    if (trail_.true_count(n) > 0) component.hash.add(open.low ^ (open.high << 1));
  }

  void visit_soft_factor(std::uint32_t s, Component& component) {
    if (std::exchange(seen_soft_[s], stamp_) == stamp_) return;
    SetHash left;
    for (const VariableId v : graph_.scope(model_.soft_factors[s]))
      if (trail_.is_open(v)) add_variable(v, component);
      else left.add(v);
    left.add(trail_.soft_offset(s));
    component.hash.add(left.low ^ (left.high << 1) ^ (std::uint64_t{s} << 32));
  }

  const FactorGraph& graph_;
  const NogoodModel& model_;
  NogoodTrail trail_;
  internal::ComponentCache cache_;
  Stop stop_;
  std::uint64_t stamp_ = 0;
  std::vector<std::uint64_t> seen_variables_, seen_nogoods_, seen_soft_;
  WeightedCount result_;
};

}  // namespace

WeightedCount count_weighted(const FactorGraph& graph, const WeightedCountingOptions& options, const Stop& stop) {
  const NogoodModel model = internal::extract_nogoods(graph, stop);
  return Counter(graph, model, options.cache_bytes, stop).run();
}

}  // namespace fovea
