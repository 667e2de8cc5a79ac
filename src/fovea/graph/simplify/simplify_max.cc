// SPDX-License-Identifier: Apache-2.0
#include "fovea/graph/simplify/simplify_max.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <optional>
#include <utility>

#include "fovea/base/error.h"
#include "fovea/base/indexed_heap.h"
#include "fovea/base/log_math.h"
#include "fovea/graph/simplify/mutable_graph.h"
#include "fovea/graph/tables/table_sum.h"

namespace fovea::graph {
namespace {

/// One factor's table, rearranged: row k holds the scores of v = k, one for each joint value of the others.
struct ValueRows {
  std::vector<double> scores = {};
  std::size_t length = 0;
  std::vector<std::size_t> best = {};  // [value]: where its row is highest

  const double* row(std::size_t value) const { return scores.data() + value * length; }
};

ValueRows value_rows(const MutableGraph& graph, const MutableGraph::Factor& factor, VariableId v) {
  const std::size_t values = graph.cardinalities()[v];
  std::size_t stride = 1;
  for (std::size_t i = factor.scope.size(); factor.scope[--i] != v;) stride *= graph.cardinalities()[factor.scope[i]];
  ValueRows rows;
  rows.length = factor.table->size() / values;
  rows.scores.reserve(factor.table->size());
  for (std::size_t k = 0; k < values; ++k)
    for (std::size_t begin = k * stride; begin < factor.table->size(); begin += values * stride)
      for (std::size_t i = 0; i < stride; ++i) rows.scores.push_back((*factor.table)[begin + i]);
  for (std::size_t k = 0; k < values; ++k)
    rows.best.push_back(
        static_cast<std::size_t>(std::max_element(rows.row(k), rows.row(k) + rows.length) - rows.row(k)));
  return rows;
}

class Comparison {
 public:
  Comparison(const MutableGraph& graph, VariableId v) {
    for (const FactorId f : graph.factors_of(v)) factors_.push_back(value_rows(graph, graph.factor(f), v));
  }

  bool is_possible(std::size_t value) const {
    return std::ranges::all_of(factors_,
                               [&](const ValueRows& rows) { return rows.row(value)[rows.best[value]] > kImpossible; });
  }

  bool dominates(std::size_t a, std::size_t b) const { return lead_where_best(a, b) >= 0 && least_lead(a, b) >= 0; }

 private:
  /// Lead of a where b's rows are highest: no less than least_lead, and far cheaper.
  double lead_where_best(std::size_t a, std::size_t b) const {
    double lead = 0;
    for (const ValueRows& rows : factors_) lead += rows.row(a)[rows.best[b]] - rows.row(b)[rows.best[b]];
    return lead;
  }

  double least_lead(std::size_t a, std::size_t b) const {
    double lead = 0;
    for (const ValueRows& rows : factors_) {
      double least = std::numeric_limits<double>::infinity();
      for (std::size_t i = 0; i < rows.length; ++i)
        if (rows.row(b)[i] != kImpossible) least = std::min(least, rows.row(a)[i] - rows.row(b)[i]);
      lead += least;
    }
    return lead;
  }

  std::vector<ValueRows> factors_;
};

}  // namespace

ValueComparison compare_values(const MutableGraph& graph, VariableId v, const Stop& stop) {
  const Comparison comparison(graph, v);
  const auto values = static_cast<Value>(graph.cardinalities()[v]);
  ValueComparison result;
  for (Value k = 0; k < values; ++k)
    if (comparison.is_possible(k)) result.kept.push_back(k);
  const std::vector<Value> candidates = result.kept;
  for (const Value b : candidates) {
    if (stop.requested()) break;
    const auto dominator =
        std::ranges::find_if(result.kept, [&](Value a) { return a != b && comparison.dominates(a, b); });
    if (dominator == result.kept.end()) continue;
    result.dominated.emplace_back(b, *dominator);
    std::erase(result.kept, b);
  }
  return result;
}

/// Carries out the steps on a MutableGraph and records how to undo them.
class MaxSimplifier {
 public:
  MaxSimplifier(const FactorGraph& graph, const MaxSimplificationOptions& options)
      : options_(options),
        whole_(graph),
        graph_(graph),
        queue_(graph.variable_count()),
        is_changed_(graph.variable_count(), 1) {
    is_eliminated_.resize(graph.variable_count());
  }

  MaxSimplification run(const Stop& stop) {
    const auto n = static_cast<VariableId>(graph_.variable_count());
    for (VariableId v = 0; v < n; ++v)
      if (graph_.cardinalities()[v] == 1) graph_.keep_values(v, std::vector<Value>{0});
    for (VariableId v = 0; v < n; ++v) enqueue(v);
    do {
      substitute_functions(stop);
      eliminate_cheap_variables(stop);
    } while (remove_values(stop));
    check_feasible(graph_.constant());
    return stop.requested() && has_changed_little() ? unchanged() : finish();
  }

 private:
  static void check_feasible(double score) {
    if (score == -std::numeric_limits<double>::infinity())
      throw InfeasibleError("no assignment is possible: the constraints contradict each other");
  }

  bool is_open(VariableId v) const { return !is_eliminated_[v] && graph_.cardinalities()[v] > 1; }

  /// Entries of the table that would replace v's factors, as a logarithm; infinite if v should stay.
  double log_elimination_cost(VariableId v) const {
    const std::vector<VariableId> neighbours = graph_.neighbours(v);
    if (neighbours.size() > options_.max_neighbours) return std::numeric_limits<double>::infinity();
    double entries = 1;
    for (const VariableId other : neighbours) entries *= graph_.cardinalities()[other];
    const auto limit = static_cast<double>(std::max(options_.max_table_entries, graph_.entry_count(v)));
    return entries <= limit ? std::log2(entries) : std::numeric_limits<double>::infinity();
  }

  /// Updates the place of v in the queue of cheap variables to eliminate.
  void enqueue(VariableId v) {
    if (!is_open(v)) {
      if (queue_.contains(v)) queue_.remove(v);
      return;
    }
    const double cost = log_elimination_cost(v);
    if (!std::isfinite(cost)) {
      if (queue_.contains(v)) queue_.remove(v);
    } else if (queue_.contains(v)) {
      queue_.update(v, static_cast<float>(-cost));
    } else {
      queue_.push(v, static_cast<float>(-cost));
    }
  }

  void substitute_functions(const Stop& stop) {
    for (FactorId f = 0; f < graph_.factor_count() && !stop.requested(); ++f) {
      if (graph_.factor(f).scope.size() != 2) continue;
      for (const std::size_t of : {0, 1})
        if (const auto value_of = function_in(graph_.factor(f), of)) {
          substitute(graph_.factor(f).scope[1 - of], graph_.factor(f).scope[of], *value_of);
          break;
        }
    }
  }

  /// For each value of the variable at `place`, the only value that the other variable may have, or kNone if it may
  /// have no value. Returns nothing if some value leaves a choice, or if tables would grow.
  std::optional<std::vector<std::size_t>> function_in(const MutableGraph::Factor& factor, std::size_t place) const {
    const std::size_t size = graph_.cardinalities()[factor.scope[place]],
                      other_size = graph_.cardinalities()[factor.scope[1 - place]];
    if (size > other_size || !is_open(factor.scope[1 - place])) return std::nullopt;
    const std::size_t stride = place == 0 ? other_size : 1, other_stride = place == 0 ? 1 : size;
    std::vector<std::size_t> value_of(size, kNone);
    for (std::size_t a = 0; a < size; ++a)
      for (std::size_t b = 0; b < other_size; ++b) {
        if ((*factor.table)[a * stride + b * other_stride] == -std::numeric_limits<double>::infinity()) continue;
        if (value_of[a] != kNone) return std::nullopt;
        value_of[a] = b;
      }
    return value_of;
  }

  /// Replaces v, which is a function of x, by x in every factor.
  void substitute(VariableId v, VariableId x, const std::vector<std::size_t>& value_of) {
    result_.begin_elimination(v);
    result_.add_neighbour(x, graph_.values(x));
    for (const std::size_t value : value_of) result_.best_.push_back((*graph_.values(v))[value == kNone ? 0 : value]);
    const std::vector<FactorId> bucket(graph_.factors_of(v).begin(), graph_.factors_of(v).end());
    std::vector<MutableGraph::Factor> factors;
    for (const FactorId f : bucket) {
      factors.push_back(graph_.factor(f));
      graph_.remove_factor(f);
    }
    is_eliminated_[v] = 1;
    for (const MutableGraph::Factor& factor : factors) add_substituted(factor, v, x, value_of);
    mark_changed(graph_.neighbours(x));
    mark_changed(std::span(&x, 1));
  }

  void add_substituted(const MutableGraph::Factor& factor, VariableId v, VariableId x,
                       const std::vector<std::size_t>& value_of) {
    std::vector<VariableId> scope;
    const bool has_both = std::ranges::find(factor.scope, x) != factor.scope.end();
    for (const VariableId w : factor.scope)
      if (w != v) scope.push_back(w);
      else if (!has_both) scope.push_back(x);
    std::vector<double> table;
    std::vector<std::size_t> values(scope.size());
    const std::size_t x_place = static_cast<std::size_t>(std::ranges::find(scope, x) - scope.begin());
    for (bool is_left = true; is_left;) {
      const std::size_t value = value_of[values[x_place]];
      std::size_t entry = 0, i = 0;
      for (const VariableId w : factor.scope) {
        const std::size_t of_w = w == v ? value : values[i];
        if (w != v || !has_both) ++i;
        entry = entry * graph_.cardinalities()[w] + (of_w == kNone ? 0 : of_w);
      }
      table.push_back(value == kNone ? -std::numeric_limits<double>::infinity() : (*factor.table)[entry]);
      is_left = false;
      for (std::size_t k = scope.size(); k-- > 0;) {
        if (++values[k] < graph_.cardinalities()[scope[k]]) {
          is_left = true;
          break;
        }
        values[k] = 0;
      }
    }
    graph_.add_factor(std::move(scope), std::move(table));
  }

  void eliminate_cheap_variables(const Stop& stop) {
    while (!queue_.empty() && !stop.requested()) eliminate(queue_.pop());
  }

  /// Replaces v's factors by their maximum over v.
  void eliminate(VariableId v) {
    const std::vector<VariableId> neighbours = graph_.neighbours(v);
    std::vector<VariableId> scope = neighbours;
    result_.begin_elimination(v);
    for (const VariableId other : neighbours) result_.add_neighbour(other, graph_.values(other));
    const std::size_t values = graph_.cardinalities()[v];
    scope.push_back(v);
    TableSum sum(scope, graph_.cardinalities());
    const std::vector<FactorId> bucket(graph_.factors_of(v).begin(), graph_.factors_of(v).end());
    for (const FactorId f : bucket) sum.add(graph_.factor(f).scope, *graph_.factor(f).table);
    std::vector<double> best;
    best.reserve(sum.entry_count() / values);
    sum.for_each_block([&](std::size_t, std::span<const double> sums) {
      for (std::size_t i = 0; i < sums.size(); i += values) {
        const auto row = sums.subspan(i, values);
        const auto highest = std::ranges::max_element(row);
        best.push_back(*highest);
        result_.best_.push_back((*graph_.values(v))[static_cast<std::size_t>(highest - row.begin())]);
      }
      return true;
    });
    for (const FactorId f : bucket) graph_.remove_factor(f);
    is_eliminated_[v] = 1;
    graph_.add_factor(neighbours, std::move(best));
    mark_changed(neighbours);
  }

  void mark_changed(std::span<const VariableId> variables) {
    for (const VariableId v : variables) {
      is_changed_[v] = 1;
      enqueue(v);
    }
  }

  /// Makes one pass over the variables whose factors changed; returns whether any value was removed.
  bool remove_values(const Stop& stop) {
    bool any = false;
    for (VariableId v = 0; v < graph_.variable_count() && !stop.requested(); ++v)
      if (is_open(v) && std::exchange(is_changed_[v], 0)) any |= remove_values_of(v, stop);
    return any && !stop.requested();
  }

  bool remove_values_of(VariableId v, const Stop& stop) {
    // Values are compared in pairs, entry by entry: this many comparisons take half a second.
    constexpr double kMostComparisons = 5e8;
    if (static_cast<double>(graph_.cardinalities()[v]) * static_cast<double>(graph_.entry_count(v)) > kMostComparisons)
      return false;
    const ValueComparison comparison = compare_values(graph_, v, stop);
    if (comparison.kept.empty()) check_feasible(-std::numeric_limits<double>::infinity());
    const std::vector<Value>& names = *graph_.values(v);
    if (comparison.kept.size() == names.size()) return false;
    for (const auto& [from, to] : comparison.dominated)
      result_.replacements_.push_back({.variable = v, .from = names[from], .to = names[to]});
    const std::vector<VariableId> neighbours = graph_.neighbours(v);
    graph_.keep_values(v, comparison.kept);
    is_changed_[v] = 1;
    enqueue(v);
    mark_changed(neighbours);
    return true;
  }

  /// True if hardly a variable has left: then the simpler model is not worth the seconds that it takes to make it of
  /// millions of factors.
  bool has_changed_little() const {
    constexpr double kLittle = .1;  // of the variables
    std::size_t open = 0;
    for (VariableId v = 0; v < graph_.variable_count(); ++v) open += is_open(v);
    return static_cast<double>(open) > (1 - kLittle) * static_cast<double>(graph_.variable_count()) &&
           std::ranges::find(whole_.cardinalities(), 1u) == whole_.cardinalities().end();
  }

  MaxSimplification unchanged() const {
    MaxSimplification same;
    same.graph = whole_;
    same.decided_.resize(whole_.variable_count());
    same.variables.resize(whole_.variable_count());
    std::iota(same.variables.begin(), same.variables.end(), VariableId{0});
    same.values = every_value(whole_);
    return same;
  }

  MaxSimplification finish() {
    result_.decided_.resize(graph_.variable_count());
    for (VariableId v = 0; v < graph_.variable_count(); ++v) {
      result_.decided_[v] = graph_.values(v)->front();
      if (!is_open(v)) continue;
      result_.variables.push_back(v);
      result_.values.push_back(graph_.values(v));
    }
    result_.graph = graph_.compile(result_.variables);
    return std::move(result_);
  }

  static constexpr std::size_t kNone = std::numeric_limits<std::size_t>::max();

  MaxSimplificationOptions options_;
  const FactorGraph& whole_;
  MutableGraph graph_;
  IndexedHeap queue_;  // variables worth eliminating, the smallest table first
  std::vector<char> is_eliminated_, is_changed_;
  MaxSimplification result_;
};

void MaxSimplification::begin_elimination(VariableId variable) {
  eliminations_.push_back(
      {.variable = variable, .neighbour_count = 0, .first_neighbour = neighbours_.size(), .best = best_.size()});
}

void MaxSimplification::add_neighbour(VariableId variable, const SharedValues& domain) {
  // Neighbouring records mostly share a list, that of every value.
  if (domains_.empty() || domains_.back() != domain) domains_.push_back(domain);
  neighbours_.push_back({.variable = variable, .domain = static_cast<std::uint32_t>(domains_.size() - 1)});
  ++eliminations_.back().neighbour_count;
}

Assignment MaxSimplification::lift(std::span<const Value> reduced) const {
  Assignment whole = decided_;
  for (std::size_t v = 0; v < variables.size(); ++v) whole[variables[v]] = (*values[v])[reduced[v]];
  for (auto step = eliminations_.rbegin(); step != eliminations_.rend(); ++step) {
    std::size_t entry = 0;
    for (const Neighbour& neighbour : std::span(neighbours_).subspan(step->first_neighbour, step->neighbour_count)) {
      const std::vector<Value>& domain = *domains_[neighbour.domain];
      const auto at = std::ranges::lower_bound(domain, whole[neighbour.variable]);
      entry = entry * domain.size() + static_cast<std::size_t>(at - domain.begin());
    }
    whole[step->variable] = best_[step->best + entry];
  }
  return whole;
}

Assignment MaxSimplification::restrict(std::span<const Value> whole) const {
  Assignment kept(whole.begin(), whole.end());
  for (const Replacement& step : replacements_)
    if (kept[step.variable] == step.from) kept[step.variable] = step.to;
  Assignment reduced(variables.size(), 0);
  for (std::size_t v = 0; v < variables.size(); ++v) {
    const std::vector<Value>& domain = *values[v];
    const auto at = std::ranges::lower_bound(domain, kept[variables[v]]);
    if (at != domain.end() && *at == kept[variables[v]]) reduced[v] = static_cast<Value>(at - domain.begin());
  }
  return reduced;
}

MaxSimplification simplify_max(const FactorGraph& graph, const MaxSimplificationOptions& options, const Stop& stop) {
  return MaxSimplifier(graph, options).run(stop);
}

}  // namespace fovea::graph
