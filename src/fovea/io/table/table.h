// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "fovea/base/error.h"
#include "fovea/base/words.h"

namespace fovea::io {

/// The file format of a table.
enum class TableFormat {
  kAuto,  ///< by the name, or else by the first bytes
  kCsv,
  kTsv,
  kJsonLines,
  kSqlite,
};
constexpr auto words_of(TableFormat) {
  using enum TableFormat;
  return std::array{Word{kAuto, "auto"}, Word{kCsv, "csv"}, Word{kTsv, "tsv"}, Word{kJsonLines, "jsonl"},
                    Word{kSqlite, "sqlite"}};
}

/// The format by the ending of the name, where .gz, .xz and .zst are ignored: .csv; .tsv, .tab; .jsonl, .ndjson, .json;
/// .db, .sqlite, .sqlite3. nullopt for other endings.
std::optional<TableFormat> table_format_of_name(std::string_view path);

/// The cells of one column, row after row: their bytes laid end to end, in blocks of rows that are as large as their
/// text, so that nothing is moved when the column grows. Takes four bytes per cell in addition to the text.
class TextColumn {
 public:
  static constexpr std::size_t kMaxCellBytes = std::size_t{1} << 22;

  /// `cell`: at most kMaxCellBytes.
  void append(std::string_view cell);
  void append(const TextColumn& more);

  std::size_t size() const { return size_; }
  /// Valid until the next append().
  std::string_view operator[](std::size_t row) const {
    const Block& block = blocks_[row / kBlockRows];
    const std::size_t at = row % kBlockRows;
    return {block.bytes.data() + block.ends[at], block.ends[at + 1] - block.ends[at]};
  }

  std::size_t memory_in_bytes() const;

 private:
  static constexpr std::size_t kBlockRows = 512;  // times kMaxCellBytes, this fits in 32 bits
  struct Block {
    std::string bytes;
    std::vector<std::uint32_t> ends = {0};  // ends[i + 1]: end in `bytes` of row i of the block
  };
  void begin_block();

  std::vector<Block> blocks_;
  std::size_t size_ = 0;
};

/// Meaning of row numbers in messages.
enum class RowNumbers {
  kLines,   ///< lines of a text file
  kRowids,  ///< rowids of a database
  kRows,    ///< nothing outside the table: 1, 2, ...
};

/// Records as named columns of text cells (UTF-8 without NUL bytes, if a reader filled them). An empty cell is a
/// missing one.
class Table {
 public:
  static constexpr std::size_t kMaxColumns = 4096;

  /// `name`: name of the file, for messages. Cells that equal one of `missing` are stored as missing. Throws InputError
  /// for two columns with the same name and for more than kMaxColumns.
  explicit Table(std::string name, std::vector<std::string> columns = {}, RowNumbers numbers = RowNumbers::kLines,
                 std::vector<std::string> missing = {});

  /// Adds a column, whose cells are missing in the rows so far, and returns its number.
  std::size_t add_column(std::string_view name);
  /// Adds a row of column_count() cells; RowNumbers gives the meaning of `number`. Numbers take memory only where they
  /// are not consecutive. `json`: what json() returns; if it is empty, all cells are text.
  void add_row(std::span<const std::string_view> cells, std::int64_t number,
               std::span<const std::string_view> json = {});

  /// Adds the rows of another part of the same file, whose columns are matched by name; new ones are added.
  void append(const Table& more);

  /// Says that the rows added from now on come from `source`: they are located there if they get its numbers.
  void begin_part(const Table& source);

  const std::string& name() const { return name_; }
  std::size_t row_count() const { return row_count_; }
  std::size_t column_count() const { return columns_.size(); }
  /// Names, in the order of the file.
  const std::vector<std::string>& columns() const { return columns_; }
  std::optional<std::size_t> find_column(std::string_view name) const;
  /// The number of the column, whose name may be in double quotes (unquoted). If the name is unknown, throws InputError
  /// with a suggestion and the known names.
  std::size_t column(std::string_view name) const;

  /// Views stay valid until the table changes.
  std::string_view cell(std::size_t row, std::size_t column) const { return cells_[column][row]; }
  /// The cell as written in JSON, if the file said that it is not a text: a number, true or false, an array, an object,
  /// or "" in quotes; otherwise empty.
  std::string_view json(std::size_t row, std::size_t column) const;
  bool is_missing(std::size_t row, std::size_t column) const { return cell(row, column).empty(); }

  /// Source of the row (file and line or rowid), for messages.
  InputLocation location(std::size_t row) const;
  /// The same for the number of a row, of the last part.
  InputLocation location_of(std::int64_t number) const;
  /// The number that the row was added with.
  std::int64_t number(std::size_t row) const;

  std::size_t memory_in_bytes() const;

 private:
  /// Rows from `row` on are numbered from `number` on, without gaps.
  struct NumberedRun {
    std::size_t row;
    std::int64_t number;
    std::int64_t number_of(std::size_t later) const { return number + static_cast<std::int64_t>(later - row); }
  };
  /// Rows from `row` on come from one file.
  struct Part {
    std::size_t row;
    std::string name;
    RowNumbers numbers;
    InputLocation location_of(std::int64_t number) const;
  };
  bool is_marker(std::string_view cell) const;
  std::vector<std::size_t> columns_for(const Table& more);
  void set_json(std::size_t column, std::string_view json, std::string_view cell);

  std::string name_;
  std::vector<std::string> columns_;
  std::vector<TextColumn> cells_;  // [column]
  std::vector<TextColumn> json_;   // [column]: kAsCell if equal to the cell; shorter if the other rows have none
  std::size_t row_count_ = 0;
  std::vector<Part> parts_;  // at least one
  std::vector<NumberedRun> runs_;
  std::vector<std::string> missing_;
};

/// Type of all cells of a column that are not missing.
enum class ColumnType : unsigned char {
  kText,  ///< also if there are none
  kInteger,
  kReal,  ///< numbers with a fraction or an exponent
  kMixed,
};

/// The type of the column's cells by their Table::json().
ColumnType column_type(const Table& table, std::size_t column);

/// Throws InputError, at `location`, for two columns with the same name and for more than Table::kMaxColumns.
void check_column_names(const InputLocation& location, std::span<const std::string> names);

}  // namespace fovea::io
