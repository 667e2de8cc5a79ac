// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "fovea/base/assignment.h"

namespace fovea::graph {

using FactorId = std::uint32_t;
using TableId = std::uint32_t;

/// A discrete graphical model: p(y) is proportional to exp(sum_f table_f(y restricted to scope(f))).
///
/// Immutable and compiled: scopes and adjacency lie in one array each, a table that several factors use is stored once.
/// Tables are in the log domain (natural logarithms, double); -inf is a hard constraint. In a table the last variable
/// of the scope varies fastest. A factor of empty scope has a table of one entry: a constant of the model.
/// Satisfies ConditionalModel. Cheap to move, safe to read from several threads.
class FactorGraph {
 public:
  class Builder;

  FactorGraph() = default;

  std::size_t variable_count() const { return cardinalities_.size(); }
  std::size_t factor_count() const { return factor_tables_.size(); }
  std::size_t table_count() const { return table_begin_.empty() ? 0 : table_begin_.size() - 1; }
  std::size_t cardinality(VariableId v) const { return cardinalities_[v]; }
  std::span<const std::uint32_t> cardinalities() const { return cardinalities_; }
  std::size_t max_cardinality() const { return max_cardinality_; }
  std::size_t max_arity() const { return max_arity_; }

  /// The variables of factor f, each once.
  std::span<const VariableId> scope(FactorId f) const {
    return {scopes_.data() + scope_begin_[f], scope_begin_[f + 1] - scope_begin_[f]};
  }
  /// For each variable of scope(f), the distance in the table between the entries of neighbouring values.
  std::span<const std::uint32_t> strides(FactorId f) const {
    return {strides_.data() + scope_begin_[f], scope_begin_[f + 1] - scope_begin_[f]};
  }
  TableId table_id(FactorId f) const { return factor_tables_[f]; }
  std::span<const double> table(FactorId f) const { return shared_table(factor_tables_[f]); }
  std::span<const double> shared_table(TableId t) const {
    return {entries_.data() + table_begin_[t], table_begin_[t + 1] - table_begin_[t]};
  }
  /// Number of entries of all distinct tables together.
  std::size_t entry_count() const { return entries_.size(); }

  /// One place of a variable in a factor.
  struct Incidence {
    FactorId factor = 0;
    std::uint32_t position = 0;  ///< in the scope of `factor`
  };
  std::span<const Incidence> incidences(VariableId v) const {
    return {incidences_.data() + incidence_begin_[v], incidence_begin_[v + 1] - incidence_begin_[v]};
  }
  /// The other variables of its factors, ascending, each once.
  std::span<const VariableId> markov_blanket(VariableId v) const {
    return {blankets_.data() + blanket_begin_[v], blanket_begin_[v + 1] - blanket_begin_[v]};
  }

  /// Index of y's entry in the table of f. y has a value for every variable.
  std::size_t entry_index(FactorId f, std::span<const Value> y) const {
    std::size_t index = 0;
    for (std::size_t i = scope_begin_[f]; i < scope_begin_[f + 1]; ++i)
      index += std::size_t{strides_[i]} * y[scopes_[i]];
    return index;
  }
  double factor_score(FactorId f, std::span<const Value> y) const {
    return entries_[table_begin_[factor_tables_[f]] + entry_index(f, y)];
  }

  /// Unnormalised log p(y): the sum of all factors, -inf where a constraint is broken.
  double log_score(std::span<const Value> y) const;
  /// scores[k] = the sum of v's factors at y with y_v = k, k < cardinality(v).
  void conditional_scores(VariableId v, std::span<const Value> y, std::span<double> scores) const;
  void conditional_scores(VariableId v, std::span<const Value> y, std::span<float> scores) const;

 private:
  void index_adjacency();

  std::vector<std::uint32_t> cardinalities_;  // [variable]
  std::vector<std::size_t> scope_begin_{0};   // [factor + 1]
  std::vector<VariableId> scopes_;
  std::vector<std::uint32_t> strides_;       // parallel to scopes_
  std::vector<TableId> factor_tables_;       // [factor]
  std::vector<std::size_t> table_begin_{0};  // [table + 1]
  std::vector<double> entries_;
  std::vector<std::size_t> incidence_begin_{0};  // [variable + 1]
  std::vector<Incidence> incidences_;
  std::vector<std::size_t> blanket_begin_{0};  // [variable + 1]
  std::vector<VariableId> blankets_;
  std::size_t max_cardinality_ = 0, max_arity_ = 0;
};

/// Collects variables, tables and factors; build() compiles them. Input that is not a model throws
/// std::invalid_argument, whose what() says which rule is broken ("factor 3 names variable 7 twice"); readers add file
/// and line.
class FactorGraph::Builder {
 public:
  Builder() = default;
  /// Starts from a graph: its variables, tables and factors keep their numbers.
  explicit Builder(FactorGraph graph) : graph_(std::move(graph)) {}

  /// 1 <= cardinality <= 65535. Returns the variable's number: 0, 1, ...
  VariableId add_variable(std::size_t cardinality);
  std::size_t variable_count() const { return graph_.cardinalities_.size(); }
  std::size_t cardinality(VariableId v) const { return graph_.cardinalities_.at(v); }

  /// Adds a table for add_factor: log domain, not NaN, below +inf.
  TableId add_table(std::span<const double> log_scores);
  std::span<const double> table(TableId t) const { return graph_.shared_table(t); }
  /// The scope names existing variables, each once; the table has one entry for each of their joint values, the last
  /// variable fastest. Entries per table: below 2^32.
  FactorId add_factor(std::span<const VariableId> scope, TableId table);
  /// Adds a factor with a table of its own.
  FactorId add_factor(std::span<const VariableId> scope, std::span<const double> log_scores);

  /// Leaves the builder empty.
  FactorGraph build();

 private:
  FactorGraph graph_;
};

}  // namespace fovea::graph
