// SPDX-License-Identifier: Apache-2.0
#include "fovea/graph/tables/soft_tables.h"

#include <algorithm>
#include <limits>

#include "fovea/base/log_math.h"
#include "fovea/base/run_control.h"

namespace fovea::graph {
namespace {

constexpr std::size_t kNowhere = std::numeric_limits<std::size_t>::max();

double soften(double score, double penalty) { return score == kImpossible ? -penalty : score; }

}  // namespace

std::optional<SoftTables> SoftTables::build(const FactorGraph& graph, double penalty, const Stop& stop) {
  SoftTables tables(graph, penalty);
  if (!tables.add_tables(stop) || !tables.add_adjacency(stop)) return std::nullopt;
  return tables;
}

SoftTables::SoftTables(const FactorGraph& graph, double penalty)
    : graph_(&graph),
      penalty_(penalty),
      row_begin_(graph.variable_count() + 1, 0),
      table_of_factor_(graph.factor_count(), kNowhere),
      turned_of_factor_(graph.factor_count(), kNowhere) {
  for (VariableId v = 0; v < graph.variable_count(); ++v) row_begin_[v + 1] = row_begin_[v] + graph.cardinality(v);
  unary_rows_.assign(row_begin_.back(), 0);
}

bool SoftTables::add_tables(const Stop& stop) {
  struct Copies {
    std::size_t plain = kNowhere, turned = kNowhere, columns = 0;  // turned: of a table with this many columns
  };
  std::vector<Copies> copies(graph_->table_count());
  entries_.reserve(2 * graph_->entry_count());  // most tables are those of pairs
  StopMeter meter;
  for (FactorId f = 0; f < graph_->factor_count(); ++f) {
    const std::span<const VariableId> scope = graph_->scope(f);
    const std::span<const double> table = graph_->table(f);
    if (scope.empty()) constant_ += soften(table[0], penalty_);
    if (scope.size() == 1) add_unary(f);
    if (scope.size() < 2) continue;
    Copies& of_table = copies[graph_->table_id(f)];
    if (of_table.plain == kNowhere) of_table.plain = copy(table);
    table_of_factor_[f] = of_table.plain;
    if (scope.size() == 2) {
      const std::size_t columns = graph_->cardinality(scope[1]);
      if (of_table.columns != columns) of_table = {of_table.plain, transposed_copy(table, columns), columns};
      turned_of_factor_[f] = of_table.turned;
    }
    if (meter.is_late(table.size() + 1, stop)) return false;
  }
  return true;
}

void SoftTables::add_unary(FactorId f) {
  double* row = unary_rows_.data() + row_begin_[graph_->scope(f)[0]];
  for (const double score : graph_->table(f)) *row++ += soften(score, penalty_);
}

std::size_t SoftTables::copy(std::span<const double> table) {
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

bool SoftTables::add_adjacency(const Stop& stop) {
  StopMeter meter;
  slice_begin_.assign(1, 0);
  large_begin_.assign(1, 0);
  for (VariableId v = 0; v < graph_->variable_count(); ++v) {
    for (const FactorGraph::Incidence& incidence : graph_->incidences(v)) {
      const std::span<const VariableId> scope = graph_->scope(incidence.factor);
      if (scope.size() > 2) large_incidences_.push_back(incidence);
      if (scope.size() != 2) continue;
      const VariableId neighbour = scope[1 - incidence.position];
      slices_.push_back({.neighbour = neighbour,
                         .cardinality = static_cast<std::uint32_t>(graph_->cardinality(neighbour)),
                         .row = row_begin_[neighbour],
                         .table = incidence.position == 0 ? table_of_factor_[incidence.factor]
                                                          : turned_of_factor_[incidence.factor]});
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
