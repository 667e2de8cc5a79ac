// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <vector>

#include "fovea/base/run_control.h"
#include "fovea/graph/model/factor_graph.h"

namespace fovea::graph {

/// A model's tables, laid out for searchers that keep the conditional scores of all variables up to date.
///
/// A hard constraint (-inf) becomes `-penalty`, so that sums and differences stay finite and a searcher may pass
/// through assignments that break a few. For a large penalty, scores order assignments by broken constraints first.
/// Every table of two variables is there in both orientations, so that the scores that one value of a variable adds to
/// the row of its neighbour are contiguous. Tables without a hard constraint are read where the graph keeps them, and
/// symmetric ones are their own other orientation. Immutable; any number of `ScoreRows` may share it. Log domain.
class SoftTables {
 public:
  /// Costs a few passes over all entries; returns nothing if `stop` was requested first. `graph` must outlive the
  /// result.
  static std::optional<SoftTables> build(const FactorGraph& graph, double penalty, const Stop& stop = {});

  const FactorGraph& graph() const { return *graph_; }
  double penalty() const { return penalty_; }

  /// Rows of all variables lie end to end: that of v holds cardinality(v) scores from row_begin(v) on.
  std::size_t row_begin(VariableId v) const { return row_begin_[v]; }
  std::size_t row_total() const { return row_begin_.back(); }
  /// Scores that factors of one variable add to its row.
  std::span<const double> unary_rows() const { return unary_rows_; }
  /// The sum of all factors without variables.
  double constant() const { return constant_; }

  /// Scores that a variable adds to the row of a neighbour: value j adds table[j * cardinality + k] to score k.
  struct Slice {
    VariableId neighbour = 0;
    std::uint32_t cardinality = 0;  ///< of the neighbour
    std::size_t row = 0;            ///< row_begin(neighbour)
    const double* table = nullptr;
  };
  /// Slices of v, one for each factor of v and one other variable.
  std::span<const Slice> slices(VariableId v) const {
    return {slices_.data() + slice_begin_[v], slice_begin_[v + 1] - slice_begin_[v]};
  }

  /// A place of a variable in a factor of three or more variables, whose softened table is in the order of the graph.
  struct LargeIncidence {
    FactorId factor = 0;
    std::uint32_t position = 0;
    const double* table = nullptr;
  };
  std::span<const LargeIncidence> large_incidences(VariableId v) const {
    return {large_incidences_.data() + large_begin_[v], large_begin_[v + 1] - large_begin_[v]};
  }

 private:
  /// Begin in entries_ of the softened tables of each factor, or kInGraph; of factors of two variables also transposed.
  struct Begins {
    std::vector<std::size_t> plain, turned;
  };
  static constexpr std::size_t kNowhere = std::numeric_limits<std::size_t>::max(), kInGraph = kNowhere - 1;

  SoftTables(const FactorGraph& graph, double penalty);
  bool add_tables(Begins& begins, const Stop& stop);
  void add_unary(FactorId f);
  bool add_adjacency(const Begins& begins, const Stop& stop);
  std::size_t softened_copy(std::span<const double> table);
  std::size_t transposed_copy(std::span<const double> table, std::size_t columns);
  const double* table_at(std::size_t begin, FactorId f) const {
    return begin == kInGraph ? graph_->table(f).data() : entries_.data() + begin;
  }

  const FactorGraph* graph_;
  double penalty_, constant_ = 0;
  std::vector<std::size_t> row_begin_;
  std::vector<double> unary_rows_;
  std::vector<double> entries_;  // of tables that differ from those of the graph
  std::vector<std::size_t> slice_begin_, large_begin_;
  std::vector<Slice> slices_;
  std::vector<LargeIncidence> large_incidences_;
};

/// Penalty at which a constraint is rarely worth breaking: more than the largest range of finite scores in a table,
/// among the tables read before `stop` was requested. Costs a pass over all entries.
double default_violation_penalty(const FactorGraph& graph, const Stop& stop = {});

}  // namespace fovea::graph
