// SPDX-License-Identifier: Apache-2.0
#include "fovea/graph/simplify/simplify_sum.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

#include "fovea/base/error.h"
#include "fovea/base/indexed_heap.h"
#include "fovea/base/log_math.h"
#include "fovea/graph/simplify/mutable_graph.h"
#include "fovea/graph/simplify/table_structure.h"
#include "fovea/graph/tables/table_sum.h"

namespace fovea::graph {
namespace {

constexpr double kSecondsPerFactor = 1e-6, kSecondsPerEntry = 2e-9;  // to copy them in and out

/// The variables of a graph, without its factors.
FactorGraph without_factors(const FactorGraph& graph) {
  FactorGraph::Builder builder;
  for (VariableId v = 0; v < graph.variable_count(); ++v) builder.add_variable(graph.cardinality(v));
  return builder.build();
}

class SumSimplifier {
 public:
  /// keeps_marginals: for every v that is summed out, keeps log p(v | its neighbours at that time).
  SumSimplifier(const FactorGraph& graph, const SumSimplificationOptions& options, bool keeps_marginals)
      : options_(options),
        keeps_marginals_(keeps_marginals),
        graph_(graph),
        conditionals_(without_factors(graph), false),
        is_gone_(graph.variable_count(), 0),
        is_waiting_(graph.variable_count(), 0),
        left_at_(graph.variable_count(), std::numeric_limits<std::size_t>::max()),
        cheap_(graph.variable_count()) {
    for (VariableId v = 0; v < graph.variable_count(); ++v) {
      if (graph.cardinality(v) == 1) graph_.keep_values(v, std::vector<Value>{0});
      if (keeps_marginals) origins_.push_back(every_value(graph.cardinality(v)));
    }
    for (VariableId v = 0; v < graph.variable_count(); ++v) wait(std::span(&v, 1));
  }

  void run(const Stop& stop) {
    while (!stop.requested() && (!waiting_.empty() || !cheap_.empty())) {
      if (waiting_.empty()) sum_out(cheap_.pop());
      else look_at(take_waiting());
    }
    if (graph_.constant() == kImpossible)
      throw InfeasibleError("no assignment is possible: the constraints contradict each other");
  }

  /// Graph of the variables that are left.
  FactorGraph remainder() const {
    std::vector<VariableId> left;
    for (VariableId v = 0; v < graph_.variable_count(); ++v)
      if (is_open(v)) left.push_back(v);
    return graph_.compile(left);
  }

  /// That graph times p(v | neighbours) of each variable that was summed out, the last first, if its neighbours share a
  /// table.
  MarginalSimplification with_conditionals() {
    std::vector<MarginalSimplification::Variable> variables;
    for (std::vector<Origin>& origins : origins_) variables.push_back({.values = std::move(origins)});
    graph_.add_factor({}, {conditionals_.constant()});
    for (auto v = summed_out_.rbegin(); v != summed_out_.rend(); ++v)
      if (!come_back(*v)) variables[*v].number = MarginalSimplification::kLeftOut;
    VariableId count = 0;
    for (VariableId v = 0; v < variables.size(); ++v)
      if (is_open(v)) variables[v].number = count++;
    return {remainder(), std::move(variables)};
  }

 private:
  using Origin = MarginalSimplification::Origin;

  static std::vector<Origin> every_value(std::size_t cardinality) {
    std::vector<Origin> values(cardinality);
    for (std::size_t k = 0; k < cardinality; ++k) values[k] = {.value = static_cast<Value>(k), .share = 1};
    return values;
  }

  bool is_open(VariableId v) const { return !is_gone_[v] && graph_.cardinalities()[v] > 1; }

  VariableId take_waiting() {
    const VariableId v = waiting_.back();
    waiting_.pop_back();
    is_waiting_[v] = 0;
    return v;
  }

  void wait(std::span<const VariableId> variables) {
    for (const VariableId v : variables)
      if (!std::exchange(is_waiting_[v], 1)) waiting_.push_back(v);
  }

  /// Simplifies around v. Variables are summed out only when nothing else is left to do, which keeps tables small.
  void look_at(VariableId v) {
    if (is_open(v) && (remove_values(v) || split_a_factor(v))) return;
    const double cost = is_open(v) ? log_cost(v) : std::numeric_limits<double>::infinity();
    if (cheap_.contains(v)) cheap_.remove(v);
    if (std::isfinite(cost)) cheap_.push(v, static_cast<float>(-cost));
  }

  /// Log of the entries of the table that would replace v's factors; infinite if v should stay.
  double log_cost(VariableId v) const {
    double entries = 1;
    for (const VariableId u : graph_.neighbours(v)) entries *= graph_.cardinalities()[u];
    const auto limit = static_cast<double>(std::max(options_.max_table_entries, graph_.entry_count(v)));
    return entries <= limit ? std::log(entries) : std::numeric_limits<double>::infinity();
  }

  /// Distance between the entries of neighbouring values of v in a factor's table.
  std::size_t stride_of(const MutableGraph::Factor& factor, VariableId v) const {
    std::size_t stride = 1;
    for (std::size_t i = factor.scope.size(); factor.scope[--i] != v;)
      stride *= graph_.cardinalities()[factor.scope[i]];
    return stride;
  }

  bool is_excluded(VariableId v, std::size_t value) const {
    const std::size_t cardinality = graph_.cardinalities()[v];
    return std::ranges::any_of(graph_.factors_of(v), [&](FactorId f) {
      const auto& table = *graph_.factor(f).table;
      const std::size_t stride = stride_of(graph_.factor(f), v);
      for (std::size_t begin = value * stride; begin < table.size(); begin += stride * cardinality)
        for (std::size_t i = 0; i < stride; ++i)
          if (table[begin + i] != kImpossible) return false;
      return true;
    });
  }

  /// Log of the factor by which value a outweighs value b, if they differ by constants.
  std::optional<double> find_offset(VariableId v, std::size_t a, std::size_t b) const {
    double sum = 0;
    for (const FactorId f : graph_.factors_of(v)) {
      const auto offset = internal::find_offset(*graph_.factor(f).table, stride_of(graph_.factor(f), v),
                                                graph_.cardinalities()[v], a, b);
      if (!offset) return std::nullopt;
      sum += *offset;
    }
    // Variables that are gone may still tell the values apart.
    for (const FactorId f : conditionals_.factors_of(v))
      if (!internal::find_offset(*conditionals_.factor(f).table, stride_of(conditionals_.factor(f), v),
                                 graph_.cardinalities()[v], a, b))
        return std::nullopt;
    return sum;
  }

  /// Drops excluded values and merges equivalent ones; returns whether there were any.
  bool remove_values(VariableId v) {
    const std::size_t cardinality = graph_.cardinalities()[v];
    std::vector<Value> kept;
    std::vector<double> weights;  // log of how many times a kept value counts
    std::vector<Merged> merged(cardinality);
    for (std::size_t k = 0; k < cardinality; ++k) {
      if (is_excluded(v, k)) continue;
      std::size_t into = 0;
      std::optional<double> offset;
      while (into < kept.size() && !(offset = find_offset(v, k, kept[into]))) ++into;
      merged[k] = {.into = static_cast<Value>(into), .log_weight = offset.value_or(0)};
      if (offset) {
        weights[into] = log_sum(std::array{weights[into], *offset});
        continue;
      }
      kept.push_back(static_cast<Value>(k));
      weights.push_back(0);
    }
    if (kept.empty()) throw InfeasibleError("no assignment is possible: the constraints contradict each other");
    if (kept.size() == cardinality) return false;
    if (keeps_marginals_) share_out(v, merged, weights);
    wait(graph_.neighbours(v));
    wait(std::span(&v, 1));
    conditionals_.keep_values(v, kept);
    graph_.keep_values(v, kept);
    if (kept.size() == 1) graph_.add_factor({}, weights);
    else graph_.add_factor({v}, weights);
    return true;
  }

  /// Destination of a value: kept value number `into`, and its log weight relative to that value; -inf for excluded
  /// values.
  struct Merged {
    Value into = 0;
    double log_weight = kImpossible;
  };

  void share_out(VariableId v, std::span<const Merged> merged, std::span<const double> weights) {
    for (Origin& origin : origins_[v]) {
      const Merged& now = merged[origin.value];
      origin.share *= std::exp(now.log_weight - weights[now.into]);
      origin.value = now.into;
    }
  }

  bool split_a_factor(VariableId v) {
    return std::ranges::any_of(graph_.factors_of(v), [&](FactorId f) { return split_factor(f); });
  }

  bool split_factor(FactorId f) {
    const MutableGraph::Factor factor = graph_.factor(f);
    if (factor.scope.size() < 2 || factor.table->size() > options_.max_split_entries) return false;
    std::vector<std::size_t> cardinalities;
    for (const VariableId v : factor.scope) cardinalities.push_back(graph_.cardinalities()[v]);
    for (std::size_t i = 0; i < factor.scope.size(); ++i)
      for (std::size_t j = i + 1; j < factor.scope.size(); ++j) {
        auto parts = internal::split(internal::view_pair(*factor.table, cardinalities, i, j));
        if (!parts) continue;
        std::vector<VariableId> without_i = factor.scope, without_j = factor.scope;
        without_i.erase(without_i.begin() + static_cast<std::ptrdiff_t>(i));
        without_j.erase(without_j.begin() + static_cast<std::ptrdiff_t>(j));
        wait(factor.scope);
        graph_.remove_factor(f);
        graph_.add_factor(std::move(without_i), std::move(parts->without_first));
        graph_.add_factor(std::move(without_j), std::move(parts->without_second));
        return true;
      }
    return false;
  }

  /// Conditional table of v, which was summed out: of those that v is in, the one without variables that left earlier.
  /// Returns nullptr if it is constant.
  const MutableGraph::Factor* conditional_of(VariableId v) const {
    for (const FactorId f : conditionals_.factors_of(v)) {
      const MutableGraph::Factor& factor = conditionals_.factor(f);
      if (std::ranges::all_of(factor.scope, [&](VariableId u) { return left_at_[u] >= left_at_[v]; })) return &factor;
    }
    return nullptr;
  }

  bool have_a_table(std::span<const VariableId> scope) const {
    if (!std::ranges::all_of(scope, [&](VariableId v) { return is_open(v); })) return false;
    if (scope.size() < 2) return true;
    return std::ranges::any_of(graph_.factors_of(scope.front()), [&](FactorId f) {
      const std::vector<VariableId>& larger = graph_.factor(f).scope;
      return std::ranges::all_of(scope, [&](VariableId v) { return std::ranges::count(larger, v) > 0; });
    });
  }

  /// Puts v, which was summed out, back; returns false if its neighbours no longer share a table.
  bool come_back(VariableId v) {
    const MutableGraph::Factor* conditional = conditional_of(v);
    if (conditional) {
      std::vector<VariableId> neighbours = conditional->scope;
      std::erase(neighbours, v);
      if (!have_a_table(neighbours)) return false;
      const std::span<const double> table = *conditional->table;
      graph_.add_factor(conditional->scope, {table.begin(), table.end()});
    }
    is_gone_[v] = 0;
    return true;
  }

  void sum_out(VariableId v) {
    const std::vector<VariableId> neighbours = graph_.neighbours(v);
    std::vector<VariableId> scope = neighbours;
    scope.push_back(v);
    TableSum sum(scope, graph_.cardinalities());
    const std::vector<FactorId> bucket(graph_.factors_of(v).begin(), graph_.factors_of(v).end());
    for (const FactorId f : bucket) sum.add(graph_.factor(f).scope, *graph_.factor(f).table);
    const std::size_t values = graph_.cardinalities()[v];
    std::vector<double> sums, conditional;
    sum.for_each_block([&](std::size_t, std::span<const double> block) {
      for (std::size_t i = 0; i < block.size(); i += values) {
        sums.push_back(log_sum(block.subspan(i, values)));
        if (!keeps_marginals_) continue;
        for (const double score : block.subspan(i, values))
          conditional.push_back(score == kImpossible ? kImpossible : score - sums.back());
      }
      return true;
    });
    if (keeps_marginals_) conditionals_.add_factor(scope, std::move(conditional));
    for (const FactorId f : bucket) graph_.remove_factor(f);
    is_gone_[v] = 1;
    left_at_[v] = summed_out_.size();
    summed_out_.push_back(v);
    wait(neighbours);
    graph_.add_factor(neighbours, std::move(sums));
  }

  SumSimplificationOptions options_;
  bool keeps_marginals_;
  MutableGraph graph_, conditionals_;
  std::vector<std::vector<Origin>> origins_;  // [variable][value of the whole model], if marginals are kept
  std::vector<char> is_gone_, is_waiting_;
  std::vector<VariableId> summed_out_;
  std::vector<std::size_t> left_at_;  // [variable]: place in summed_out_, or the highest number
  std::vector<VariableId> waiting_;   // to be looked at, because their factors changed
  IndexedHeap cheap_;                 // to be summed out, the smallest table first
};

}  // namespace

FactorGraph simplify_sum(const FactorGraph& graph, const SumSimplificationOptions& options, const Stop& stop) {
  SumSimplifier simplifier(graph, options, false);
  simplifier.run(stop);
  return simplifier.remainder();
}

double least_simplifying_seconds(const FactorGraph& graph) {
  return kSecondsPerFactor * static_cast<double>(graph.factor_count()) +
         kSecondsPerEntry * static_cast<double>(graph.entry_count());
}

MarginalSimplification simplify_for_marginals(const FactorGraph& graph, const SumSimplificationOptions& options,
                                              const Stop& stop) {
  SumSimplifier simplifier(graph, options, true);
  simplifier.run(stop);
  return simplifier.with_conditionals();
}

bool MarginalSimplification::leaves_out() const {
  return std::ranges::any_of(variables_, [](const Variable& variable) { return variable.number == kLeftOut; });
}

std::vector<std::vector<double>> MarginalSimplification::lift(const std::vector<std::vector<double>>& marginals) const {
  std::vector<std::vector<double>> whole;
  for (const Variable& variable : variables_) {
    whole.emplace_back();
    if (variable.number == kLeftOut) continue;
    for (const Origin& origin : variable.values)
      whole.back().push_back(origin.share *
                             (variable.number == kSingleValue ? 1 : marginals[variable.number][origin.value]));
  }
  return whole;
}

}  // namespace fovea::graph
