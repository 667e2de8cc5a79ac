// SPDX-License-Identifier: Apache-2.0
#include "fovea/io/table/table.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <set>
#include <utility>

#include "fovea/base/error.h"
#include "fovea/base/text.h"

namespace fovea::io {
namespace {

struct NamedFormat {
  std::string_view name;
  TableFormat format;
};

constexpr NamedFormat kEndings[] = {
    {"csv", TableFormat::kCsv},         {"tsv", TableFormat::kTsv},          {"tab", TableFormat::kTsv},
    {"jsonl", TableFormat::kJsonLines}, {"ndjson", TableFormat::kJsonLines}, {"json", TableFormat::kJsonLines},
    {"db", TableFormat::kSqlite},       {"sqlite", TableFormat::kSqlite},    {"sqlite3", TableFormat::kSqlite},
};

constexpr std::string_view kAsCell = "=";  // not valid JSON, so never a value

void check_column_count(const InputLocation& location, std::size_t count) {
  if (count > Table::kMaxColumns)
    throw InputError(location, fmt::format("{} columns, but a table has at most {}", count, Table::kMaxColumns),
                     "Keep values out of the names of columns");
}

}  // namespace

std::optional<TableFormat> table_format_of_name(std::string_view path) {
  for (const std::string_view packing : {".gz", ".xz", ".zst"})
    if (path.ends_with(packing)) path.remove_suffix(packing.size());
  const std::size_t dot = path.find_last_of("./");
  for (const auto& [ending, format] : kEndings)
    if (dot != path.npos && path[dot] == '.' && path.substr(dot + 1) == ending) return format;
  return std::nullopt;
}

void TextColumn::append(std::string_view cell) {
  FOVEA_CHECK(cell.size() <= kMaxCellBytes);
  if (size_ % kBlockRows == 0) begin_block();
  Block& block = blocks_.back();
  block.bytes += cell;
  block.ends.push_back(static_cast<std::uint32_t>(block.bytes.size()));
  ++size_;
}

void TextColumn::append(const TextColumn& more) {
  for (std::size_t row = 0; row < more.size();) {
    if (size_ % kBlockRows == 0) begin_block();
    const Block& source = more.blocks_[row / kBlockRows];
    Block& block = blocks_.back();
    const std::size_t from = row % kBlockRows;
    const std::size_t count = std::min(kBlockRows - size_ % kBlockRows, source.ends.size() - 1 - from);
    const std::uint32_t shift = block.ends.back() - source.ends[from];  // modulo 2^32
    block.bytes.append(source.bytes, source.ends[from], source.ends[from + count] - source.ends[from]);
    for (std::size_t i = 1; i <= count; ++i) block.ends.push_back(source.ends[from + i] + shift);
    size_ += count;
    row += count;
  }
}

void TextColumn::begin_block() {
  std::size_t expected = 0;  // bytes: as many as before, for text is much alike, and a little more
  if (!blocks_.empty()) {
    std::string& bytes = blocks_.back().bytes;
    if (bytes.capacity() > bytes.size() + bytes.size() / 8) bytes.shrink_to_fit();
    expected = bytes.size() + bytes.size() / 16;
  }
  Block& block = blocks_.emplace_back();
  block.bytes.reserve(expected);
  block.ends.reserve(kBlockRows + 1);
}

std::size_t TextColumn::memory_in_bytes() const {
  std::size_t bytes = blocks_.capacity() * sizeof(Block);
  for (const Block& block : blocks_) bytes += block.bytes.capacity() + block.ends.capacity() * sizeof(std::uint32_t);
  return bytes;
}

Table::Table(std::string name, std::vector<std::string> columns, RowNumbers numbers, std::vector<std::string> missing)
    : name_(std::move(name)),
      columns_(std::move(columns)),
      cells_(columns_.size()),
      json_(columns_.size()),
      parts_{{0, name_, numbers}},
      missing_(std::move(missing)) {
  check_column_names({.file = name_}, columns_);
}

std::size_t Table::add_column(std::string_view name) {
  FOVEA_CHECK(!find_column(name));
  check_column_count({.file = name_}, columns_.size() + 1);
  columns_.emplace_back(name);
  TextColumn& cells = cells_.emplace_back();
  json_.emplace_back();
  while (cells.size() < row_count_) cells.append("");
  return columns_.size() - 1;
}

void Table::add_row(std::span<const std::string_view> cells, std::int64_t number,
                    std::span<const std::string_view> json) {
  FOVEA_CHECK(cells.size() == columns_.size() && (json.empty() || json.size() == columns_.size()));
  if (runs_.empty() || number != runs_.back().number_of(row_count_)) runs_.push_back({row_count_, number});
  for (std::size_t c = 0; c < cells.size(); ++c) cells_[c].append(is_marker(cells[c]) ? "" : cells[c]);
  for (std::size_t c = 0; c < json.size(); ++c)
    if (!json[c].empty() && !is_marker(cells[c])) set_json(c, json[c], cells[c]);
  ++row_count_;
}

void Table::append(const Table& more) {
  const std::vector<std::size_t> target = columns_for(more);
  for (const NumberedRun& run : more.runs_)
    if (runs_.empty() || run.number != runs_.back().number_of(row_count_ + run.row))
      runs_.push_back({row_count_ + run.row, run.number});
  for (std::size_t c = 0; c < target.size(); ++c) {
    cells_[target[c]].append(more.cells_[c]);
    if (more.json_[c].size() == 0) continue;
    TextColumn& json = json_[target[c]];
    while (json.size() < row_count_) json.append("");
    json.append(more.json_[c]);
  }
  row_count_ += more.row_count_;
  for (TextColumn& cells : cells_)
    while (cells.size() < row_count_) cells.append("");
}

/// [column of `more`]: its number here.
std::vector<std::size_t> Table::columns_for(const Table& more) {
  std::vector<std::size_t> numbers;
  for (const std::string& name : more.columns_) {
    const std::optional<std::size_t> found = find_column(name);
    numbers.push_back(found ? *found : add_column(name));
  }
  return numbers;
}

void Table::set_json(std::size_t column, std::string_view json, std::string_view cell) {
  TextColumn& texts = json_[column];
  while (texts.size() < row_count_) texts.append("");
  texts.append(json == cell ? kAsCell : json);
}

std::string_view Table::json(std::size_t row, std::size_t column) const {
  if (row >= json_[column].size()) return {};
  const std::string_view json = json_[column][row];
  return json == kAsCell ? cell(row, column) : json;
}

bool Table::is_marker(std::string_view cell) const {
  return !missing_.empty() && std::ranges::find(missing_, cell) != missing_.end();
}

std::optional<std::size_t> Table::find_column(std::string_view name) const {
  const auto at = std::ranges::find(columns_, name);
  if (at == columns_.end()) return std::nullopt;
  return static_cast<std::size_t>(at - columns_.begin());
}

std::size_t Table::column(std::string_view name) const {
  if (const std::optional<std::size_t> found = find_column(name)) return *found;
  if (const std::optional<std::string> inside = unquoted(name); inside && find_column(*inside))
    return *find_column(*inside);
  throw InputError({.file = name_}, fmt::format("no column is called '{}'.{}", name, suggestion(name, columns_)),
                   fmt::format("The columns are {}", fmt::join(columns_, ", ")));
}

void Table::begin_part(const Table& source) {
  if (parts_.back().row == row_count_) parts_.pop_back();
  parts_.push_back({row_count_, source.name_, source.parts_.back().numbers});
}

std::int64_t Table::number(std::size_t row) const {
  FOVEA_CHECK(row < row_count_);
  return std::prev(std::ranges::upper_bound(runs_, row, {}, &NumberedRun::row))->number_of(row);
}

InputLocation Table::location(std::size_t row) const {
  return std::prev(std::ranges::upper_bound(parts_, row, {}, &Part::row))->location_of(number(row));
}

InputLocation Table::location_of(std::int64_t number) const { return parts_.back().location_of(number); }

InputLocation Table::Part::location_of(std::int64_t number) const {
  if (numbers == RowNumbers::kLines) return {.file = name, .line = static_cast<std::uint64_t>(number)};
  return {.file = fmt::format("{}, {} {}", name, numbers == RowNumbers::kRowids ? "rowid" : "row", number)};
}

std::size_t Table::memory_in_bytes() const {
  std::size_t bytes = runs_.capacity() * sizeof(NumberedRun);
  for (const auto* columns : {&cells_, &json_})
    for (const TextColumn& cells : *columns) bytes += cells.memory_in_bytes();
  return bytes;
}

namespace {

ColumnType type_of(std::string_view json) {
  const bool is_number = !json.empty() && (json.front() == '-' || (json.front() >= '0' && json.front() <= '9'));
  if (!is_number) return ColumnType::kText;
  return json.find_first_of(".eE") == json.npos ? ColumnType::kInteger : ColumnType::kReal;
}

}  // namespace

ColumnType column_type(const Table& table, std::size_t column) {
  std::optional<ColumnType> type;
  for (std::size_t row = 0; row < table.row_count(); ++row) {
    if (table.is_missing(row, column)) continue;
    const ColumnType next = type_of(table.json(row, column));
    if (type && *type != next) return ColumnType::kMixed;
    type = next;
  }
  return type.value_or(ColumnType::kText);
}

void check_column_names(const InputLocation& location, std::span<const std::string> names) {
  check_column_count(location, names.size());
  std::set<std::string_view> seen;
  for (const std::string& name : names)
    if (!seen.insert(name).second)
      throw InputError(location, fmt::format("two columns are called '{}'", name), "Give every column its own name");
}

}  // namespace fovea::io
