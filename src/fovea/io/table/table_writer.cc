// SPDX-License-Identifier: Apache-2.0
#include "fovea/io/table/table_writer.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <system_error>
#include <utility>

#include "fovea/base/error.h"
#include "fovea/io/output_file.h"
#include "fovea/io/table/delimited_reader.h"
#include "fovea/io/table/sqlite.h"
#include "fovea/io/table/table.h"

namespace fovea::io {
namespace {

TableFormat format_of(const std::string& path, const TableWriteOptions& options) {
  if (options.format != TableFormat::kAuto) return options.format;
  if (path.empty() || path == "-") return TableFormat::kCsv;
  if (const auto format = table_format_of_name(path)) return *format;
  throw UsageError(
      fmt::format("the name '{}' does not tell the format of a table. End it in .csv, .tsv, .jsonl or .db, or give "
                  "option 'output-format'",
                  path));
}

constexpr std::string_view kWrittenByteOrderMark = "\xEF\xBB\xBF";

bool needs_quotes(std::string_view cell, char delimiter) {
  if (cell.empty()) return false;
  const auto is_blank = [](char c) { return c == ' ' || c == '\t'; };
  return is_blank(cell.front()) || is_blank(cell.back()) || cell.starts_with(kWrittenByteOrderMark) ||
         cell.find(delimiter) != cell.npos || cell.find_first_of("\"\r\n") != cell.npos;
}

void write_quoted(std::string_view cell, OutputFile& output) {
  output.write("\"");
  for (std::size_t quote; (quote = cell.find('"')) != cell.npos; cell.remove_prefix(quote + 1)) {
    output.write(cell.substr(0, quote));
    output.write("\"\"");
  }
  output.write(cell);
  output.write("\"");
}

void check_unquoted(std::span<const std::string_view> cells) {
  for (const std::string_view cell : cells)
    if (cell.find_first_of("\t\r\n") != cell.npos || cell.starts_with(kWrittenByteOrderMark))
      throw InputError({},
                       fmt::format("the cell '{}' to be written holds a tab, a line end or a byte order mark", cell),
                       "Write commas or JSON lines instead");
  if (cells.size() == 1 && cells[0].empty())
    throw InputError({}, "a row of one empty cell would be an empty line", "Write commas or JSON lines instead");
}

class DelimitedWriter : public TableWriter {
 public:
  DelimitedWriter(OutputFile output, std::span<const std::string> columns, char delimiter)
      : output_(std::move(output)), delimiter_(delimiter) {
    // A reader would take the name of an only column such as sep=; for a line that names the separator.
    if (columns.size() == 1 && separator_named_by(columns[0])) output_.write(fmt::format("sep={}\n", delimiter));
    add_row(std::vector<std::string_view>(columns.begin(), columns.end()));
  }
  void finish() override { output_.finish(); }

 private:
  void write_row(std::span<const std::string_view> cells, std::span<const std::string_view>) override {
    write_delimited_row(cells, delimiter_, output_);
  }

  OutputFile output_;
  char delimiter_;
};

class JsonLinesWriter : public TableWriter {
 public:
  JsonLinesWriter(OutputFile output, std::span<const std::string> columns) : output_(std::move(output)) {
    for (const std::string& column : columns)
      keys_.push_back(fmt::format("{}{}:", keys_.empty() ? "{" : ",", quoted(column)));
  }

  void finish() override { output_.finish(); }

 private:
  void write_row(std::span<const std::string_view> cells, std::span<const std::string_view> json) override {
    FOVEA_CHECK(cells.size() == keys_.size());
    for (std::size_t c = 0; c < cells.size(); ++c) {
      output_.write(keys_[c]);
      if (c < json.size() && !json[c].empty()) output_.write(json[c]);
      else output_.write(cells[c].empty() ? "null" : quoted(cells[c]));
    }
    output_.write("}\n");
  }

  static std::string quoted(std::string_view text) { return nlohmann::json(text).dump(); }

  OutputFile output_;
  std::vector<std::string> keys_;  // with the punctuation around them
};

}  // namespace

std::unique_ptr<TableWriter> make_table_writer(const std::string& path, const std::vector<std::string>& columns,
                                               const TableWriteOptions& options, std::span<const ColumnType> types) {
  const TableFormat format = format_of(path, options);
  check_column_names({.file = path}, columns);
  if (format == TableFormat::kJsonLines) return make_json_lines_writer(OutputFile(path), columns);
  if (format != TableFormat::kSqlite)
    return make_delimited_writer(OutputFile(path), columns, format == TableFormat::kTsv ? '\t' : ',');
  if (path.empty() || path == "-") throw UsageError("a database is a file, not standard output; give its path");
  if (options.table.empty()) throw UsageError("name the table in the database to write by option 'output-table'");
  return make_sqlite_writer(path, options.table, columns, options.replace, types);
}

void check_table_can_be_written(const std::string& path, const std::vector<std::string>& columns,
                                const TableWriteOptions& options) {
  namespace fs = std::filesystem;
  std::error_code ignored;  // a path that cannot be examined cannot be written either: the writer says why
  const bool is_file =
      !path.empty() && path != "-" && (!fs::exists(path, ignored) || fs::is_regular_file(path, ignored));
  if (is_file) make_table_writer(path, columns, options);  // without finish() it leaves nothing behind
  else check_column_names({.file = path}, columns);
}

void write_delimited_row(std::span<const std::string_view> cells, char delimiter, OutputFile& output) {
  if (delimiter == '\t') check_unquoted(cells);
  for (std::size_t c = 0; c < cells.size(); ++c) {
    if (c > 0) output.write({&delimiter, 1});
    if (delimiter != '\t' && needs_quotes(cells[c], delimiter)) write_quoted(cells[c], output);
    else if (cells.size() == 1 && cells[c].empty()) output.write("\"\"");  // an empty line would be skipped
    else output.write(cells[c]);
  }
  output.write("\n");
}

std::unique_ptr<TableWriter> make_delimited_writer(OutputFile output, std::span<const std::string> columns,
                                                   char delimiter) {
  return std::make_unique<DelimitedWriter>(std::move(output), columns, delimiter);
}

std::unique_ptr<TableWriter> make_json_lines_writer(OutputFile output, std::span<const std::string> columns) {
  return std::make_unique<JsonLinesWriter>(std::move(output), columns);
}

}  // namespace fovea::io
