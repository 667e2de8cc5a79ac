// SPDX-License-Identifier: Apache-2.0
#include "fovea/graph/temper/score_rows.h"

#include <algorithm>
#include <cmath>

namespace fovea::graph {
namespace {

constexpr double kRounding = 1e-11;  // a smaller relative gain may be the noise of incremental sums

}  // namespace

ScoreRows::ScoreRows(const SoftTables& tables, Assignment start)
    : tables_(&tables), values_(std::move(start)), rows_(tables.row_total()) {
  compute();
}

void ScoreRows::assign(const Assignment& values) {
  std::size_t differences = 0;
  for (VariableId v = 0; v < values.size(); ++v) differences += values[v] != values_[v];
  if (differences > values.size() / 4) {
    values_ = values;
    return compute();
  }
  for (VariableId v = 0; v < values.size(); ++v)
    if (values[v] != values_[v]) assign(v, values[v]);
}

void ScoreRows::compute() {
  const FactorGraph& graph = tables_->graph();
  std::ranges::copy(tables_->unary_rows(), rows_.begin());
  score_ = tables_->constant();
  for (VariableId v = 0; v < values_.size(); ++v) {
    score_ += tables_->unary_rows()[tables_->row_begin(v) + values_[v]];
    for (const SoftTables::Slice& slice : tables_->slices(v)) {
      const double* added = slice.table + std::size_t{values_[v]} * slice.cardinality;
      for (std::uint32_t k = 0; k < slice.cardinality; ++k) rows_[slice.row + k] += added[k];
      if (slice.neighbour > v) score_ += added[values_[slice.neighbour]];
    }
    for (const auto& [factor, position, table] : tables_->large_incidences(v)) {
      const std::size_t stride = graph.strides(factor)[position], index = graph.entry_index(factor, values_);
      double* row = rows_.data() + tables_->row_begin(v);
      for (std::size_t k = 0; k < graph.cardinality(v); ++k) row[k] += table[index + k * stride - values_[v] * stride];
      if (position == 0) score_ += table[index];
    }
  }
}

std::size_t ScoreRows::update_large_factors(VariableId v, Value before) {
  const FactorGraph& graph = tables_->graph();
  std::size_t changed = 0;
  for (const auto& [factor, position, table] : tables_->large_incidences(v)) {
    const std::span<const VariableId> scope = graph.scope(factor);
    const std::span<const std::uint32_t> strides = graph.strides(factor);
    const double* now = table + graph.entry_index(factor, values_);
    const double* then = now - std::size_t{values_[v]} * strides[position] + std::size_t{before} * strides[position];
    for (std::size_t j = 0; j < scope.size(); ++j) {
      if (j == position) continue;
      const std::span<double> row(rows_.data() + tables_->row_begin(scope[j]), graph.cardinality(scope[j]));
      const std::ptrdiff_t stride = strides[j];
      std::ptrdiff_t offset = -stride * values_[scope[j]];
      for (double& score : row) {
        score += now[offset] - then[offset];
        offset += stride;
      }
      changed += row.size();
    }
  }
  return changed;
}

std::size_t descend_greedily(ScoreRows& rows, const Stop& stop) {
  constexpr std::size_t kRowsBetweenLooks = 1024;
  const auto count = static_cast<VariableId>(rows.values().size());
  std::size_t visits = 0;
  for (VariableId v = 0, settled = 0; settled < count; v = v + 1 == count ? 0 : v + 1) {
    const std::span<const double> row = rows.row(v);
    const auto best = static_cast<Value>(std::ranges::max_element(row) - row.begin());
    const bool improves = row[best] > row[rows.values()[v]] + kRounding * (1 + std::abs(row[best]));
    if (improves) rows.assign(v, best);
    settled = improves ? 0 : settled + 1;
    if (++visits % kRowsBetweenLooks == 0 && stop.requested()) break;
  }
  return visits;
}

}  // namespace fovea::graph
