// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "fovea/graph/model/factor_graph.h"

namespace fovea::graph {

/// A table that factors share, log domain: entries of its own, or those of a graph that outlives it.
class SharedTable {
 public:
  SharedTable() = default;
  explicit SharedTable(std::vector<double> entries) {
    owned_ = std::make_shared<const std::vector<double>>(std::move(entries));
    entries_ = *owned_;
  }
  explicit SharedTable(std::span<const double> entries) : entries_(entries) {}

  std::span<const double> operator*() const { return entries_; }
  const std::span<const double>* operator->() const { return &entries_; }

 private:
  std::shared_ptr<const std::vector<double>> owned_;
  std::span<const double> entries_;
};

/// Values of a variable, as numbers of the whole model, ascending. Variables that kept every value share one list.
using SharedValues = std::shared_ptr<const std::vector<Value>>;

/// All values of each variable.
std::vector<SharedValues> every_value(const FactorGraph& graph);

/// A factor graph that simplification changes in place: variables lose values or leave, and factors are replaced. A
/// factor whose scope lies inside another's is added to that one (unary factors only to unary ones, so that tables
/// which edges share stay shared). Variables keep the ids of the whole model.
class MutableGraph {
 public:
  struct Factor {
    std::vector<VariableId> scope = {};  ///< empty: the factor is gone
    SharedTable table = {};
    std::uint64_t signature = 0;  ///< bit v % 64 for every variable v of the scope
  };

  /// `graph` must outlive the object. absorbs: whether factors are merged as above.
  explicit MutableGraph(const FactorGraph& graph, bool absorbs = true);

  std::size_t variable_count() const { return values_.size(); }
  /// Cardinalities by variable; 1 for those that have left.
  std::span<const std::uint32_t> cardinalities() const { return cardinalities_; }
  /// The values that v still has.
  const SharedValues& values(VariableId v) const { return values_[v]; }

  /// Number of factors, including those that are gone.
  std::size_t factor_count() const { return factors_.size(); }
  const Factor& factor(FactorId f) const { return factors_[f]; }
  std::span<const FactorId> factors_of(VariableId v) const { return factors_of_[v]; }
  /// The sum of all factors of empty scope, log domain.
  double constant() const { return constant_; }
  /// The other variables of v's factors, ascending.
  std::vector<VariableId> neighbours(VariableId v) const;
  /// Number of entries of the tables of v's factors together.
  std::size_t entry_count(VariableId v) const;

  /// Adds a factor, which absorbs those that lie inside it or is absorbed. A constant table only changes constant().
  void add_factor(std::vector<VariableId> scope, std::vector<double> table);
  void remove_factor(FactorId f);
  /// Keeps only the values at these positions of values(v) (ascending, at least one). A variable with one value left
  /// leaves all scopes.
  void keep_values(VariableId v, std::span<const Value> positions);

  /// Builds a graph of the factors as they are now, over `variables` (ascending; all that factors mention).
  FactorGraph compile(std::span<const VariableId> variables) const;

 private:
  void append(std::vector<VariableId> scope, SharedTable table);
  bool absorb_into_larger(std::span<const VariableId> scope, std::span<const double> table);
  void add_smaller(std::span<const VariableId> scope, std::vector<double>& table);
  void slice(FactorId f, VariableId v, std::span<const Value> positions);

  std::vector<Factor> factors_;
  std::vector<std::vector<FactorId>> factors_of_;  // [variable]
  std::vector<SharedValues> values_;               // [variable]
  std::vector<std::uint32_t> cardinalities_;       // [variable]
  double constant_ = 0;
  bool absorbs_;
};

}  // namespace fovea::graph
