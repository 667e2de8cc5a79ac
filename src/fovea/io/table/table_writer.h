// SPDX-License-Identifier: Apache-2.0
#pragma once

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
  /// Nothing may be added afterwards.
  virtual void finish() = 0;

 private:
  virtual void write_row(std::span<const std::string_view> cells, std::span<const std::string_view> json) = 0;
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

/// Writes one row, quoting cells that a DelimitedReader would otherwise misread. Tab-separated text has no quotes: it
/// throws InputError for tabs, line ends and leading byte order marks in cells, and for a row that would be an empty
/// line; blanks around a cell are lost when it is read.
void write_delimited_row(std::span<const std::string_view> cells, char delimiter, OutputFile& output);

/// Writes the header at once and the rows as they come.
std::unique_ptr<TableWriter> make_delimited_writer(OutputFile output, std::span<const std::string> columns,
                                                   char delimiter);

/// Writes one object a line. Values are strings, except where add_row() is given `json`; missing cells are null.
std::unique_ptr<TableWriter> make_json_lines_writer(OutputFile output, std::span<const std::string> columns);

}  // namespace fovea::io
