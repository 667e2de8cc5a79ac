// SPDX-License-Identifier: Apache-2.0
#include "fovea/linkage/stages/group_gatherer.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <system_error>

#include "fovea/base/error.h"

namespace fovea::linkage {

Blocks GroupWindow::blocks() const {
  Blocks blocks;
  for (std::size_t group = 0; group < size(); ++group) {
    if (begin[group + 1] - begin[group] < 2) continue;
    for (std::size_t row = begin[group]; row < begin[group + 1]; ++row)
      blocks.rows.push_back(static_cast<std::uint32_t>(row));
    blocks.begin.push_back(blocks.rows.size());
  }
  return blocks;
}

void GroupGatherer::begin_part(const io::Table& part) {
  if (!window_) {
    window_.emplace(GroupWindow{io::Table(part.name(), part.columns(), io::RowNumbers::kRows)});
    for (const std::string& name : group_columns_) group_places_.push_back(part.column(name));
    for (const std::string& name : window_columns_) window_places_.push_back(part.column(name));
  }
  if (part.columns() != window_->records.columns())
    throw InputError({.file = part.name()}, "parts of one stream have different columns");
}

bool GroupGatherer::differs(const io::Table& part, std::size_t row, std::span<const std::size_t> columns) const {
  if (last_.empty()) return false;
  return std::ranges::any_of(columns, [&](std::size_t column) { return part.cell(row, column) != last_[column]; });
}

void GroupGatherer::end_group() {
  const std::size_t rows = window_->records.row_count();
  if (rows > window_->begin.back()) window_->begin.push_back(rows);
}

void GroupGatherer::take(const io::Table& part, std::size_t row) {
  cells_.resize(part.column_count());
  last_.resize(cells_.size());
  for (std::size_t column = 0; column < cells_.size(); ++column) cells_[column] = part.cell(row, column);
  for (const std::span<const std::size_t> columns : {std::span(group_places_), std::span(window_places_)})
    for (const std::size_t column : columns) last_[column] = cells_[column];
  window_->records.add_row(cells_, static_cast<std::int64_t>(window_->records.row_count()) + 1);
}

std::vector<std::uint32_t> number_column(const io::Table& table, std::string_view name) {
  const std::size_t column = table.column(name);
  std::vector<std::uint32_t> numbers(table.row_count());
  for (std::size_t row = 0; row < numbers.size(); ++row) {
    const std::string_view cell = table.cell(row, column);
    const auto [end, error] = std::from_chars(cell.data(), cell.data() + cell.size(), numbers[row]);
    if (error != std::errc() || end != cell.data() + cell.size())
      throw InputError(table.location(row),
                       fmt::format("column '{}' holds '{}', which is not a number below 2^32", name, cell),
                       "Give the rows numbers from 0 on");
  }
  return numbers;
}

}  // namespace fovea::linkage
