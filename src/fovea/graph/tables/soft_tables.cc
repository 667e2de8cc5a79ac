// SPDX-License-Identifier: Apache-2.0
#include "fovea/graph/tables/soft_tables.h"

#include <algorithm>

#include "fovea/base/log_math.h"
#include "fovea/base/run_control.h"

namespace fovea::graph {
namespace {

double soften(double score, double penalty) { return score == kImpossible ? -penalty : score; }

bool is_symmetric(std::span<const double> table, std::size_t columns) {
  if (table.size() != columns * columns) return false;
  for (std::size_t i = 0; i < columns; ++i)
    for (std::size_t j = i + 1; j < columns; ++j)
      if (table[i * columns + j] != table[j * columns + i]) return false;
  return true;
}

}  // namespace

std::optional<SoftTables> SoftTables::build(const FactorGraph& graph, double penalty, const Stop& stop) {
  SoftTables tables(graph, penalty);
  Begins begins;
  if (!tables.add_tables(begins, stop) || !tables.add_adjacency(begins, stop)) return std::nullopt;
  return tables;
}

SoftTables::SoftTables(const FactorGraph& graph, double penalty)
    : graph_(&graph), penalty_(penalty), row_begin_(graph.variable_count() + 1, 0) {
  for (VariableId v = 0; v < graph.variable_count(); ++v) row_begin_[v + 1] = row_begin_[v] + graph.cardinality(v);
  unary_rows_.assign(row_begin_.back(), 0);
}

bool SoftTables::add_tables(Begins& begins, const Stop& stop) {
  struct Copies {
    std::size_t plain = kNowhere, turned = kNowhere, columns = 0;  // turned: of a table with this many columns
  };
  std::vector<Copies> copies(graph_->table_count());
  entries_.reserve(2 * graph_->entry_count());  // pages that stay empty cost nothing
  begins.plain.assign(graph_->factor_count(), kNowhere);
  begins.turned.assign(graph_->factor_count(), kNowhere);
  StopMeter meter;
  for (FactorId f = 0; f < graph_->factor_count(); ++f) {
    const std::span<const VariableId> scope = graph_->scope(f);
    const std::span<const double> table = graph_->table(f);
    if (scope.empty()) constant_ += soften(table[0], penalty_);
    if (scope.size() == 1) add_unary(f);
    if (scope.size() < 2) continue;
    Copies& of_table = copies[graph_->table_id(f)];
    if (of_table.plain == kNowhere) of_table.plain = softened_copy(table);
    begins.plain[f] = of_table.plain;
    if (scope.size() == 2) {
      const std::size_t columns = graph_->cardinality(scope[1]);
      if (of_table.columns != columns) {
        of_table.turned = is_symmetric(table, columns) ? of_table.plain : transposed_copy(table, columns);
        of_table.columns = columns;
      }
      begins.turned[f] = of_table.turned;
    }
    if (meter.is_late(table.size() + 1, stop)) return false;
  }
  return true;
}

void SoftTables::add_unary(FactorId f) {
  double* row = unary_rows_.data() + row_begin_[graph_->scope(f)[0]];
  for (const double score : graph_->table(f)) *row++ += soften(score, penalty_);
}

std::size_t SoftTables::softened_copy(std::span<const double> table) {
  if (std::ranges::find(table, kImpossible) == table.end()) return kInGraph;
  const std::size_t begin = entries_.size();
  for (const double score : table) entries_.push_back(soften(score, penalty_));
  return begin;
}

std::size_t SoftTables::transposed_copy(std::span<const double> table, std::size_t columns) {
  const std::size_t begin = entries_.size();
  for (std::size_t column = 0; column < columns; ++column)
    for (std::size_t i = column; i < table.size(); i += columns) entries_.push_back(soften(table[i], penalty_));
  return begin;
}

bool SoftTables::add_adjacency(const Begins& begins, const Stop& stop) {
  StopMeter meter;
  slice_begin_.assign(1, 0);
  large_begin_.assign(1, 0);
  for (VariableId v = 0; v < graph_->variable_count(); ++v) {
    for (const auto [f, position] : graph_->incidences(v)) {
      const std::span<const VariableId> scope = graph_->scope(f);
      if (scope.size() > 2)
        large_incidences_.push_back({.factor = f, .position = position, .table = table_at(begins.plain[f], f)});
      if (scope.size() != 2) continue;
      const VariableId neighbour = scope[1 - position];
      slices_.push_back({.neighbour = neighbour,
                         .cardinality = static_cast<std::uint32_t>(graph_->cardinality(neighbour)),
                         .row = row_begin_[neighbour],
                         .table = table_at(position == 0 ? begins.plain[f] : begins.turned[f], f)});
    }
    slice_begin_.push_back(slices_.size());
    large_begin_.push_back(large_incidences_.size());
    if (meter.is_late(graph_->incidences(v).size() + 1, stop)) return false;
  }
  return !stop.requested();
}

double default_violation_penalty(const FactorGraph& graph, const Stop& stop) {
  double range = 0;
  StopMeter meter;
  for (TableId t = 0; t < graph.table_count(); ++t) {
    if (meter.is_late(graph.shared_table(t).size() + 1, stop)) break;
    double least = -kImpossible, greatest = kImpossible;
    for (const double score : graph.shared_table(t)) {
      if (score == kImpossible) continue;
      least = std::min(least, score);
      greatest = std::max(greatest, score);
    }
    if (least < greatest) range = std::max(range, std::max(greatest, -least) + (greatest - least));
  }
  return 1 + 2 * range;
}

}  // namespace fovea::graph
