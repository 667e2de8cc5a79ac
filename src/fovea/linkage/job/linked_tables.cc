// SPDX-License-Identifier: Apache-2.0
#include "fovea/linkage/job/linked_tables.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "fovea/base/error.h"
#include "fovea/linkage/evaluate/cluster_table.h"

namespace fovea::linkage {

LinkedTables::LinkedTables(std::vector<const io::Table*> tables, const std::vector<std::optional<std::size_t>>& ids,
                           const ColumnMap& map)
    : tables_(std::move(tables)), id_columns_(ids), stacked_(stack_tables(tables_, map)) {
  map.check_used(tables_);
  std::uint32_t rows = 0;
  for (std::size_t t = 0; t < tables_.size(); ++t) {
    const io::Table& table = *tables_[t];
    if (table.row_count() == 0)
      throw InputError({.file = table.name()}, "a table without records", "Give each table at least one record");
    if (t > 0) scope_.boundaries.push_back(rows);
    rows += static_cast<std::uint32_t>(table.row_count());
    columns_.push_back(map.names(table));
    ids_.push_back(id_columns_[t] ? std::optional(io::unique_ids(table, *id_columns_[t])) : std::nullopt);
  }
}

std::uint32_t LinkedTables::own_row(std::uint32_t row) const { return row - begin(scope_.table_of(row)); }

std::string_view LinkedTables::id(std::uint32_t row) const {
  const std::size_t t = scope_.table_of(row);
  return id_columns_[t] ? tables_[t]->cell(own_row(row), *id_columns_[t]) : std::string_view();
}

std::string LinkedTables::name_of(std::uint32_t row) const {
  return id_columns_[scope_.table_of(row)] ? fmt::format("'{}'", id(row)) : std::to_string(own_row(row));
}

RecordNames LinkedTables::names(std::size_t t) const {
  return {.ids = ids_[t] ? &*ids_[t] : nullptr, .row_count = tables_[t]->row_count(), .begin = begin(t)};
}

PairNames LinkedTables::pair_names() const {
  if (size() > 2)
    throw UsageError(
        "labelled and known pairs do not say of which tables they are: link two tables, or give a column of labels");
  return {names(0), names(1)};
}

std::vector<std::string> LinkedTables::columns_not_shared() const {
  std::vector<std::string> names;
  for (std::size_t t = 0; t < size(); ++t)
    if (id_columns_[t]) names.push_back(columns_[t][*id_columns_[t]]);
  for (const std::string& name : stacked_.columns())
    if (!std::ranges::all_of(columns_, [&](const auto& own) { return std::ranges::find(own, name) != own.end(); }))
      names.push_back(name);
  return names;
}

void LinkedTables::check_column(std::size_t t, std::string_view name) const {
  if (std::ranges::find(columns_[t], name) != columns_[t].end()) return;
  const std::size_t renamed = tables_[t]->column(name);
  throw InputError({.file = tables_[t]->name()},
                   fmt::format("column '{}' is called '{}' by option 'map'", name, columns_[t][renamed]),
                   "Use that name in other options");
}

void LinkedTables::check_columns(const RecordMatching& matching) const {
  const auto check = [&](std::size_t column) {
    for (std::size_t t = 0; t < size(); ++t) check_column(t, stacked_.columns()[column]);
  };
  for (const Comparison& comparison : matching.comparisons()) std::ranges::for_each(comparison.columns(), check);
  for (const BlockingRule& rule : matching.rules()) std::ranges::for_each(rule.columns(), check);
}

std::vector<std::uint32_t> LinkedTables::labels(const std::string& column) const {
  if (column.empty()) return {};
  for (std::size_t t = 0; t < size(); ++t) check_column(t, column);
  return number_labels(stacked_, stacked_.column(column));
}

}  // namespace fovea::linkage
