// SPDX-License-Identifier: Apache-2.0
#include "fovea/graph/simplify/mutable_graph.h"

#include <tsl/robin_map.h>

#include <algorithm>
#include <numeric>
#include <utility>

#include "fovea/base/log_math.h"
#include "fovea/base/pair_hash.h"
#include "fovea/graph/tables/table_sum.h"

namespace fovea::graph {
namespace {

bool contains_all(std::span<const VariableId> larger, std::span<const VariableId> smaller) {
  return std::ranges::all_of(smaller, [&](VariableId v) { return std::ranges::find(larger, v) != larger.end(); });
}

/// One of 64 bits for each variable. A scope inside another has no bit that the other lacks: a cheap first test.
std::uint64_t signature(std::span<const VariableId> scope) {
  std::uint64_t bits = 0;
  for (const VariableId v : scope) bits |= std::uint64_t{1} << (v % 64);
  return bits;
}

/// Unary factors are kept apart from larger ones.
bool may_absorb(std::span<const VariableId> larger, std::span<const VariableId> smaller) {
  return (smaller.size() > 1 || larger.size() == 1) && smaller.size() <= larger.size() && contains_all(larger, smaller);
}

}  // namespace

std::vector<SharedValues> every_value(const FactorGraph& graph) {
  std::vector<SharedValues> by_cardinality(graph.max_cardinality() + 1), values;
  values.reserve(graph.variable_count());
  for (const std::uint32_t cardinality : graph.cardinalities()) {
    SharedValues& shared = by_cardinality[cardinality];
    if (!shared) {
      std::vector<Value> all(cardinality);
      std::iota(all.begin(), all.end(), Value{0});
      shared = std::make_shared<const std::vector<Value>>(std::move(all));
    }
    values.push_back(shared);
  }
  return values;
}

MutableGraph::MutableGraph(const FactorGraph& graph, bool absorbs)
    : factors_of_(graph.variable_count()),
      values_(every_value(graph)),
      cardinalities_(graph.cardinalities().begin(), graph.cardinalities().end()),
      absorbs_(absorbs) {
  factors_.reserve(graph.factor_count());
  for (FactorId f = 0; f < graph.factor_count(); ++f) {
    const auto scope = graph.scope(f);
    const auto table = graph.table(f);
    if (scope.empty()) {
      constant_ += table.front();
      continue;
    }
    if (absorbs_ && absorb_into_larger(scope, table)) continue;
    append({scope.begin(), scope.end()}, SharedTable(table));
  }
}

std::vector<VariableId> MutableGraph::neighbours(VariableId v) const {
  std::vector<VariableId> all;
  for (const FactorId f : factors_of_[v])
    for (const VariableId other : factors_[f].scope)
      if (other != v) all.push_back(other);
  std::ranges::sort(all);
  all.erase(std::unique(all.begin(), all.end()), all.end());
  return all;
}

std::size_t MutableGraph::entry_count(VariableId v) const {
  std::size_t entries = 0;
  for (const FactorId f : factors_of_[v]) entries += factors_[f].table->size();
  return entries;
}

void MutableGraph::append(std::vector<VariableId> scope, SharedTable table) {
  const auto f = static_cast<FactorId>(factors_.size());
  for (const VariableId v : scope) factors_of_[v].push_back(f);
  const std::uint64_t bits = signature(scope);
  factors_.push_back({std::move(scope), std::move(table), bits});
}

void MutableGraph::remove_factor(FactorId f) {
  for (const VariableId v : factors_[f].scope) std::erase(factors_of_[v], f);
  factors_[f] = {};
}

bool MutableGraph::absorb_into_larger(std::span<const VariableId> scope, std::span<const double> table) {
  const VariableId rarest = *std::ranges::min_element(scope, {}, [&](VariableId v) { return factors_of_[v].size(); });
  const std::uint64_t bits = signature(scope);
  for (const FactorId f : factors_of_[rarest]) {
    Factor& larger = factors_[f];
    if ((bits & ~larger.signature) != 0 || !may_absorb(larger.scope, scope)) continue;
    TableSum sum(larger.scope, cardinalities_);
    sum.add(larger.scope, *larger.table);
    sum.add(scope, table);
    larger.table = SharedTable(std::vector<double>(sum.entries()));
    return true;
  }
  return false;
}

void MutableGraph::add_smaller(std::span<const VariableId> scope, std::vector<double>& table) {
  std::vector<FactorId> smaller;
  for (const VariableId v : scope)
    for (const FactorId f : factors_of_[v])
      if (factors_[f].scope.front() == v && may_absorb(scope, factors_[f].scope)) smaller.push_back(f);
  if (smaller.empty()) return;
  TableSum sum(scope, cardinalities_);
  sum.add(scope, table);
  for (const FactorId f : smaller) sum.add(factors_[f].scope, *factors_[f].table);
  std::vector<double> total = sum.entries();
  for (const FactorId f : smaller) remove_factor(f);
  table = std::move(total);
}

void MutableGraph::add_factor(std::vector<VariableId> scope, std::vector<double> table) {
  const double first = table.front();
  if (std::ranges::all_of(table, [&](double score) { return score == first; }) &&
      (scope.empty() || first != kImpossible)) {
    constant_ += first;
    return;
  }
  if (absorbs_) {
    if (absorb_into_larger(scope, table)) return;
    add_smaller(scope, table);
  }
  append(std::move(scope), SharedTable(std::move(table)));
}

void MutableGraph::slice(FactorId f, VariableId v, std::span<const Value> positions) {
  const Factor old = factors_[f];
  const auto at = std::ranges::find(old.scope, v);
  std::size_t stride = 1;
  for (auto later = at + 1; later != old.scope.end(); ++later) stride *= cardinalities_[*later];
  const std::size_t group = stride * cardinalities_[v];
  std::vector<double> table;
  for (std::size_t begin = 0; begin < old.table->size(); begin += group)
    for (const Value k : positions) {
      const auto from = old.table->begin() + static_cast<std::ptrdiff_t>(begin + k * stride);
      table.insert(table.end(), from, from + static_cast<std::ptrdiff_t>(stride));
    }
  if (positions.size() > 1) {
    factors_[f].table = SharedTable(std::move(table));
    return;
  }
  std::vector<VariableId> scope = old.scope;
  scope.erase(scope.begin() + (at - old.scope.begin()));
  remove_factor(f);
  factors_.push_back({std::move(scope), SharedTable(std::move(table))});
}

void MutableGraph::keep_values(VariableId v, std::span<const Value> positions) {
  const std::size_t before = factors_.size();
  const std::vector<FactorId> affected = factors_of_[v];
  for (const FactorId f : affected) slice(f, v, positions);
  std::vector<Value> left;
  for (const Value k : positions) left.push_back((*values_[v])[k]);
  values_[v] = std::make_shared<const std::vector<Value>>(std::move(left));
  cardinalities_[v] = static_cast<std::uint32_t>(positions.size());
  // Factors that lost the variable are added anew, to be merged.
  std::vector<Factor> shrunk(factors_.begin() + static_cast<std::ptrdiff_t>(before), factors_.end());
  factors_.resize(before);
  for (Factor& factor : shrunk) add_factor(std::move(factor.scope), {factor.table->begin(), factor.table->end()});
}

FactorGraph MutableGraph::compile(std::span<const VariableId> variables) const {
  FactorGraph::Builder builder;
  std::vector<VariableId> number(variable_count());
  for (const VariableId v : variables) number[v] = builder.add_variable(cardinalities_[v]);
  tsl::robin_map<std::uintptr_t, TableId, PairHash> tables;  // [address of the entries]
  for (const Factor& factor : factors_) {
    if (factor.scope.empty()) continue;
    std::vector<VariableId> scope;
    for (const VariableId v : factor.scope) scope.push_back(number[v]);
    const auto [at, is_new] = tables.try_emplace(reinterpret_cast<std::uintptr_t>(factor.table->data()), 0);
    if (is_new) at.value() = builder.add_table(*factor.table);
    builder.add_factor(scope, at->second);
  }
  if (constant_ != 0) builder.add_factor({}, std::span(&constant_, 1));
  return builder.build();
}

}  // namespace fovea::graph
