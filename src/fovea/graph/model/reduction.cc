// SPDX-License-Identifier: Apache-2.0
#include "fovea/graph/model/reduction.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <queue>
#include <stdexcept>

#include "fovea/base/error.h"
#include "fovea/base/log_math.h"

namespace fovea::graph {
namespace {

/// For each variable and value, whether it is still possible.
class Domains {
 public:
  explicit Domains(const FactorGraph& graph) {
    begin_.reserve(graph.variable_count() + 1);
    for (const std::uint32_t cardinality : graph.cardinalities()) begin_.push_back(begin_.back() + cardinality);
    possible_.assign(begin_.back(), 1);
  }

  std::span<char> operator[](VariableId v) { return {possible_.data() + begin_[v], begin_[v + 1] - begin_[v]}; }
  std::span<const char> operator[](VariableId v) const {
    return {possible_.data() + begin_[v], begin_[v + 1] - begin_[v]};
  }
  bool all_possible() const { return std::ranges::find(possible_, 0) == possible_.end(); }

 private:
  std::vector<std::size_t> begin_ = {0};  // [variable + 1]
  std::vector<char> possible_;
};

Domains observed_domains(const FactorGraph& graph, std::span<const Observation> evidence) {
  Domains domains(graph);
  for (const auto [variable, value] : evidence) {
    if (variable >= graph.variable_count())
      throw std::invalid_argument(
          fmt::format("evidence on variable {}, but there are {} variables", variable, graph.variable_count()));
    if (value >= graph.cardinality(variable))
      throw std::invalid_argument(fmt::format("evidence {} on variable {}, whose values are 0 to {}", value, variable,
                                              graph.cardinality(variable) - 1));
    if (!domains[variable][value])
      throw std::invalid_argument(fmt::format("variable {} is observed twice, with different values", variable));
    std::ranges::fill(domains[variable], 0);
    domains[variable][value] = 1;
  }
  return domains;
}

/// Walks through the joint values of a factor that the domains leave possible, last variable fastest.
/// visit(entry, values): index in the table, value per variable of the scope.
template <class Visit>
void for_each_possible_entry(const FactorGraph& graph, FactorId f, const Domains& domains, const Visit& visit) {
  const auto scope = graph.scope(f);
  const auto strides = graph.strides(f);
  std::vector<std::vector<Value>> left(scope.size());
  for (std::size_t i = 0; i < scope.size(); ++i)
    for (std::size_t k = 0; k < domains[scope[i]].size(); ++k)
      if (domains[scope[i]][k]) left[i].push_back(static_cast<Value>(k));
  std::vector<std::size_t> at(scope.size(), 0);
  std::vector<Value> values(scope.size());
  std::size_t entry = 0;
  for (std::size_t i = 0; i < scope.size(); ++i) entry += std::size_t{strides[i]} * (values[i] = left[i][0]);
  for (;;) {
    visit(entry, values);
    std::size_t i = scope.size();
    while (i > 0 && ++at[i - 1] == left[i - 1].size()) {
      --i;
      at[i] = 0;
      entry -= std::size_t{strides[i]} * static_cast<std::size_t>(values[i] - left[i][0]);
      values[i] = left[i][0];
    }
    if (i == 0) return;
    --i;
    entry += std::size_t{strides[i]} * static_cast<std::size_t>(left[i][at[i]] - values[i]);
    values[i] = left[i][at[i]];
  }
}

/// Generalised arc consistency: removes values without support in some factor until nothing changes.
class ConstraintPropagation {
 public:
  ConstraintPropagation(const FactorGraph& graph, Domains& domains) : graph_(graph), domains_(domains) {
    std::vector<char> has_constraint(graph.table_count());
    for (TableId t = 0; t < graph.table_count(); ++t)
      has_constraint[t] = std::ranges::count(graph.shared_table(t), kImpossible) > 0;
    waiting_.resize(graph.factor_count());
    relevant_.resize(graph.factor_count());
    for (FactorId f = 0; f < graph.factor_count(); ++f)
      if ((relevant_[f] = has_constraint[graph.table_id(f)])) enqueue(f);
  }

  void run(const Stop& stop) {
    while (!queue_.empty() && !stop.requested()) {
      const FactorId f = queue_.front();
      queue_.pop();
      waiting_[f] = 0;
      revise(f);
    }
  }

 private:
  void enqueue(FactorId f) {
    if (relevant_[f] && !waiting_[f]) {
      waiting_[f] = 1;
      queue_.push(f);
    }
  }

  void revise(FactorId f) {
    const auto scope = graph_.scope(f);
    const auto table = graph_.table(f);
    std::vector<std::vector<char>> supported(scope.size());
    for (std::size_t i = 0; i < scope.size(); ++i) supported[i].assign(graph_.cardinality(scope[i]), 0);
    bool any = false;
    for_each_possible_entry(graph_, f, domains_, [&](std::size_t entry, const std::vector<Value>& values) {
      if (table[entry] == kImpossible) return;
      any = true;
      for (std::size_t i = 0; i < scope.size(); ++i) supported[i][values[i]] = 1;
    });
    if (!any)
      throw InfeasibleError(
          fmt::format("no assignment is possible: the constraints leave factor {} no joint value", f));
    for (std::size_t i = 0; i < scope.size(); ++i) remove_unsupported(scope[i], supported[i], f);
  }

  void remove_unsupported(VariableId v, const std::vector<char>& supported, FactorId cause) {
    bool changed = false;
    for (std::size_t k = 0; k < supported.size(); ++k)
      if (domains_[v][k] && !supported[k]) {
        domains_[v][k] = 0;
        changed = true;
      }
    if (!changed) return;
    for (const auto& incidence : graph_.incidences(v))
      if (incidence.factor != cause) enqueue(incidence.factor);
  }

  const FactorGraph& graph_;
  Domains& domains_;
  std::vector<char> waiting_, relevant_;  // [factor]
  std::queue<FactorId> queue_;
};

/// Builds the part of a model that domains leave open.
class Restriction {
 public:
  Restriction(const FactorGraph& graph, const Domains& domains, const std::vector<char>& dropped)
      : graph_(graph),
        domains_(domains),
        number_(graph.variable_count(), 0),
        dropped_(dropped),
        shrunk_(graph.variable_count()),
        tables_(graph.table_count(), kNotAdded) {}

  Reduction build() {
    Reduction result;
    result.decided.resize(graph_.variable_count());
    for (VariableId v = 0; v < graph_.variable_count(); ++v) add_variable(v, result);
    for (FactorId f = 0; f < graph_.factor_count(); ++f) add_factor(f);
    if (constant_ != 0) builder_.add_factor({}, std::span(&constant_, 1));
    result.graph = std::make_shared<const FactorGraph>(builder_.build());
    return result;
  }

 private:
  void add_variable(VariableId v, Reduction& result) {
    const std::span<const char> possible = domains_[v];
    const auto left = static_cast<std::size_t>(std::ranges::count(possible, 1));
    result.decided[v] = static_cast<Value>(std::ranges::find(possible, 1) - possible.begin());
    if (dropped_[v]) return;
    number_[v] = builder_.add_variable(left);
    result.variables.push_back(v);
    shrunk_[v] = left != possible.size();
    result.values.add(possible);
  }

  void add_factor(FactorId f) {
    std::vector<VariableId> scope;
    bool untouched = true;
    for (const VariableId v : graph_.scope(f)) {
      if (!dropped_[v]) scope.push_back(number_[v]);
      untouched = untouched && !dropped_[v] && !shrunk_[v];
    }
    if (untouched && !scope.empty()) {  // shared tables stay shared
      TableId& table = tables_[graph_.table_id(f)];
      if (table == kNotAdded) table = builder_.add_table(graph_.table(f));
      builder_.add_factor(scope, table);
      return;
    }
    std::vector<double> table;
    for_each_possible_entry(graph_, f, domains_, [&](std::size_t entry, const std::vector<Value>&) {
      table.push_back(graph_.table(f)[entry]);
    });
    const bool is_constant = std::ranges::all_of(table, [&](double score) { return score == table.front(); });
    if (scope.empty() || (is_constant && table.front() != kImpossible)) constant_ += table.front();
    else builder_.add_factor(scope, table);
  }

  static constexpr TableId kNotAdded = std::numeric_limits<TableId>::max();

  const FactorGraph& graph_;
  const Domains& domains_;
  std::vector<VariableId> number_;  // [variable of the whole model] -> in the restricted one
  const std::vector<char>& dropped_;
  std::vector<char> shrunk_;     // [variable]: has lost values
  std::vector<TableId> tables_;  // [table of the whole model] -> in the restricted one, or kNotAdded
  FactorGraph::Builder builder_;
  double constant_ = 0;
};

/// True if the model is its own reduction: domains leave all of it, and it has no factors to be added up.
bool leaves_all(const FactorGraph& graph, const Domains& domains, const std::vector<char>& dropped) {
  if (!domains.all_possible() || std::ranges::count(dropped, 1) > 0) return false;
  for (FactorId f = 0; f < graph.factor_count(); ++f)
    if (graph.scope(f).empty()) return false;
  return true;
}

Reduction restrict_to(const FactorGraph& graph, const Domains& domains, const std::vector<char>& dropped) {
  if (!leaves_all(graph, domains, dropped)) return Restriction(graph, domains, dropped).build();
  Reduction result;
  result.graph = std::shared_ptr<const FactorGraph>(std::shared_ptr<const FactorGraph>(), &graph);  // not owned
  result.decided.assign(graph.variable_count(), 0);
  for (VariableId v = 0; v < graph.variable_count(); ++v) {
    result.variables.push_back(v);
    result.values.add(domains[v]);
  }
  return result;
}

}  // namespace

std::span<const Value> KeptValues::operator[](VariableId v) const {
  const Value* first = begins_[v] == kAll ? all_.data() : some_.data() + begins_[v];
  return {first, counts_[v]};
}

void KeptValues::add(std::span<const char> possible) {
  const auto left =
      static_cast<std::uint32_t>(possible.size() - static_cast<std::size_t>(std::ranges::count(possible, 0)));
  counts_.push_back(left);
  begins_.push_back(left == possible.size() ? kAll : some_.size());
  while (all_.size() < possible.size()) all_.push_back(static_cast<Value>(all_.size()));
  if (left == possible.size()) return;
  for (std::size_t k = 0; k < possible.size(); ++k)
    if (possible[k]) some_.push_back(static_cast<Value>(k));
}

Assignment Reduction::lift(std::span<const Value> reduced) const {
  Assignment whole = decided;
  for (VariableId v = 0; v < variables.size(); ++v) whole[variables[v]] = values[v][reduced[v]];
  return whole;
}

Assignment Reduction::restrict(std::span<const Value> whole) const {
  Assignment reduced(variables.size(), 0);
  for (VariableId v = 0; v < variables.size(); ++v) {
    const std::span<const Value> left = values[v];
    const auto at = std::ranges::lower_bound(left, whole[variables[v]]);
    if (at != left.end() && *at == whole[variables[v]]) reduced[v] = static_cast<Value>(at - left.begin());
  }
  return reduced;
}

Reduction reduce(const FactorGraph& graph, std::span<const Observation> evidence, const Stop& stop) {
  Domains domains = observed_domains(graph, evidence);
  ConstraintPropagation(graph, domains).run(stop);
  std::vector<char> dropped(graph.variable_count());
  for (VariableId v = 0; v < dropped.size(); ++v) dropped[v] = std::ranges::count(domains[v], 1) == 1;
  return restrict_to(graph, domains, dropped);
}

Reduction condition(const FactorGraph& graph, std::span<const Observation> evidence) {
  const Domains domains = observed_domains(graph, evidence);
  std::vector<char> dropped(graph.variable_count());
  for (const Observation& observation : evidence) dropped[observation.variable] = 1;
  return restrict_to(graph, domains, dropped);
}

}  // namespace fovea::graph
