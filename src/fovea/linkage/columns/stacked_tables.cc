// SPDX-License-Identifier: Apache-2.0
#include "fovea/linkage/columns/stacked_tables.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>

#include "fovea/base/error.h"
#include "fovea/base/text.h"

namespace fovea::linkage {
namespace {

/// Adds a row of `source`, whose column c is column_of[c] of `target`.
void add_row_of(const io::Table& source, std::size_t row, std::span<const std::size_t> column_of, io::Table& target) {
  std::vector<std::string_view> cells(target.column_count()), json(target.column_count());
  for (std::size_t c = 0; c < column_of.size(); ++c) {
    cells[column_of[c]] = source.cell(row, c);
    json[column_of[c]] = source.json(row, c);
  }
  target.add_row(cells, source.number(row), json);
}

}  // namespace

ColumnMap::ColumnMap(std::string_view text) {
  if (trimmed(text).empty()) return;
  for (const std::string_view entry : split_expression(text, ',')) {
    const auto sides = split_expression(entry, '=');
    const auto name = sides.size() == 2 ? unquoted(sides.front()) : std::nullopt,
               other = sides.size() == 2 ? unquoted(sides.back()) : std::nullopt;
    if (!name || !other || name->empty() || other->empty())
      throw UsageError(fmt::format(
          "option 'map': '{}' is not two names of a column; write for example dob=born, \"Last name\"=surname", entry));
    for (const Entry& known : entries_)
      if (known.name == *name) throw UsageError(fmt::format("option 'map' has two other names for column '{}'", *name));
    entries_.push_back({*name, *other});
  }
}

std::vector<std::string> ColumnMap::names(const io::Table& table) const {
  std::vector<std::string> names = table.columns();
  for (const Entry& entry : entries_)
    if (entry.changes(table)) names[table.column(entry.name)] = entry.other;
  return names;
}

void ColumnMap::check_used(std::span<const io::Table* const> tables) const {
  for (const Entry& entry : entries_)
    if (std::ranges::none_of(tables, [&](const io::Table* table) { return entry.changes(*table); }))
      throw UsageError(
          fmt::format("option 'map': no table has a column '{}' but no column '{}'", entry.name, entry.other));
}

io::Table stack_tables(std::span<const io::Table* const> tables, const ColumnMap& map) {
  io::Table stacked(tables.front()->name(), map.names(*tables.front()));
  std::vector<std::vector<std::size_t>> column_of;  // [table][its column]
  for (const io::Table* table : tables) {
    column_of.emplace_back();
    for (const std::string& name : map.names(*table)) {
      const auto found = stacked.find_column(name);
      column_of.back().push_back(found ? *found : stacked.add_column(name));
    }
  }
  for (std::size_t t = 0; t < tables.size(); ++t) {
    stacked.begin_part(*tables[t]);
    for (std::size_t row = 0; row < tables[t]->row_count(); ++row) add_row_of(*tables[t], row, column_of[t], stacked);
  }
  return stacked;
}

io::Table stack_tables(const io::Table& first, const io::Table& second) {
  return stack_tables(std::array{&first, &second});
}

}  // namespace fovea::linkage
