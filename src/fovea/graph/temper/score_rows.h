// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cmath>
#include <span>
#include <utility>
#include <vector>

#include "fovea/base/aligned.h"
#include "fovea/base/assignment.h"
#include "fovea/graph/tables/soft_tables.h"

namespace fovea::graph {

/// An assignment with the conditional scores of every variable, kept up to date: reading a row is free, changing a
/// variable costs one table slice per neighbour. The working state of searchers on any graph.
class ScoreRows {
 public:
  /// `tables` must outlive the rows.
  ScoreRows(const SoftTables& tables, Assignment start);

  const SoftTables& tables() const { return *tables_; }
  const Assignment& values() const { return values_; }

  /// The softened log score of values(), up to the rounding of all changes so far.
  double score() const { return score_; }

  /// [value k of v]: the sum of v's softened factors at values() with v = k.
  std::span<const double> row(VariableId v) const {
    const std::size_t begin = tables_->row_begin(v);
    return {rows_.data() + begin, tables_->row_begin(v + 1) - begin};
  }
  /// Amount by which score() grows when v takes `value`.
  double gain(VariableId v, Value value) const {
    const std::size_t begin = tables_->row_begin(v);
    return rows_[begin + value] - rows_[begin + values_[v]];
  }

  /// Gives v a value and updates the rows of its neighbours. Returns the number of scores that changed.
  std::size_t assign(VariableId v, Value value) {
    const Value before = std::exchange(values_[v], value);
    const std::size_t begin = tables_->row_begin(v);
    score_ += rows_[begin + value] - rows_[begin + before];
    std::size_t changed = 0;
    for (const SoftTables::Slice& slice : tables_->slices(v)) {
      double* row = rows_.data() + slice.row;
      const double* gained = slice.table + std::size_t{value} * slice.cardinality;
      const double* lost = slice.table + std::size_t{before} * slice.cardinality;
      for (std::uint32_t k = 0; k < slice.cardinality; ++k) row[k] += gained[k] - lost[k];
      changed += slice.cardinality;
    }
    if (!tables_->large_incidences(v).empty()) changed += update_large_factors(v, before);
    return changed;
  }

  /// Changes to another assignment; costs a pass over all factors if many variables differ.
  void assign(const Assignment& values);

 private:
  void compute();
  std::size_t update_large_factors(VariableId v, Value before);

  const SoftTables* tables_;
  Assignment values_;
  AlignedVector<double> rows_;
  double score_ = 0;
};

/// Changes variables to their best value, in cyclic order, until none can improve or `stop` is requested. Returns the
/// number of visits.
std::size_t descend_greedily(ScoreRows& rows, const Stop& stop = {});

/// Gibbs visits at a temperature: y_v ~ p(. | rest)^inverse_temperature, normalised, from the rows' softened scores.
/// Leaves p^inverse_temperature invariant, variable by variable. A workspace.
class HeatBath {
 public:
  /// Visits v; returns the number of scores looked at or changed.
  template <class R>
  std::size_t visit(ScoreRows& rows, VariableId v, double inverse_temperature, R& random) {
    const std::span<const double> row = rows.row(v);
    const double best = *std::ranges::max_element(row);
    weights_.resize(row.size());
    std::ranges::transform(row, weights_.begin(),
                           [&](double score) { return std::exp((score - best) * inverse_temperature); });
    const auto value = static_cast<Value>(random.categorical(std::span<const double>(weights_)));
    if (value == rows.values()[v]) return row.size();
    return row.size() + rows.assign(v, value);
  }

 private:
  std::vector<double> weights_;
};

}  // namespace fovea::graph
