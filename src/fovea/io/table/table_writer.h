// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "fovea/base/options.h"
#include "fovea/io/table/table.h"

namespace fovea::io {

class OutputFile;

/// Writes the rows of a table to a file, which appears whole when finish() succeeds, or not at all.
class TableWriter {
 public:
  virtual ~TableWriter() = default;

  /// `cells`: one for each column, UTF-8, without NUL; "" is missing. `json`: as in Table::json(), used for JSON lines
  /// and databases; if it is empty, all cells are text. Throws InputError for what the format cannot hold, and if the
  /// system cannot write.
  void add_row(std::span<const std::string_view> cells, std::span<const std::string_view> json = {}) {
    write_row(cells, json);
  }

  /// A row in the making.
  struct Row {
    std::vector<std::string_view> cells, json;  ///< as in add_row()
    std::string own;                            ///< a text made for this row, that the views may point to
  };
  using RowMaker = std::function<void(std::size_t row, Row& made)>;

  /// Adds rows 0 .. count - 1, each made by `make`, which several threads call at a time: up to `threads` of them (0:
  /// all cores) where rows are text. What was in `made` before is left from another row, with no cells.
  void add_rows(std::size_t count, const RowMaker& make, int threads) { write_rows(count, make, threads); }
  /// Nothing may be added afterwards.
  virtual void finish() = 0;

 private:
  virtual void write_row(std::span<const std::string_view> cells, std::span<const std::string_view> json) = 0;
  /// One after the other, unless overridden.
  virtual void write_rows(std::size_t count, const RowMaker& make, int threads);
};

struct TableWriteOptions {
  TableFormat format = TableFormat::kAuto;
  std::string table = "";
  bool replace = false;

  static void describe(auto&& visit) {
    visit(&TableWriteOptions::format,
          option("output-format", "Format of the table to write; auto decides by the name."));
    visit(&TableWriteOptions::table, option("output-table", "Name of the table in the database to write."));
    visit(&TableWriteOptions::replace, option("replace", "Replace the table in the database if there is one."));
  }
};

/// Makes a writer to a file of text (comma- or tab-separated, JSON lines; packed as OutputFile does; "-" is standard
/// output) or to a table of an SQLite database. Throws UsageError for a name from which the format is not clear
/// (standard output gets commas), and InputError for two columns with the same name, a table that exists and is not to
/// be replaced, and what OutputFile and SQLite refuse. `types`: of the columns, which a database declares; if it is
/// empty, all are text.
std::unique_ptr<TableWriter> make_table_writer(const std::string& path, const std::vector<std::string>& columns,
                                               const TableWriteOptions& options = {},
                                               std::span<const ColumnType> types = {});

/// Throws what make_table_writer would throw, before hours are spent on a table that cannot be written. Leaves nothing
/// behind.
void check_table_can_be_written(const std::string& path, const std::vector<std::string>& columns,
                                const TableWriteOptions& options = {});

/// Appends one row, quoting cells that a DelimitedReader would otherwise misread. Tab-separated text has no quotes: it
/// throws InputError for tabs, line ends and leading byte order marks in cells, and for a row that would be an empty
/// line; blanks around a cell are lost when it is read.
void append_delimited_row(std::span<const std::string_view> cells, char delimiter, std::string& text);

/// Writes the header at once and the rows as they come.
std::unique_ptr<TableWriter> make_delimited_writer(OutputFile output, std::span<const std::string> columns,
                                                   char delimiter);

/// Writes one object a line. Values are strings, except where add_row() is given `json`; missing cells are null.
std::unique_ptr<TableWriter> make_json_lines_writer(OutputFile output, std::span<const std::string> columns);

}  // namespace fovea::io
