// SPDX-License-Identifier: Apache-2.0
#include "fovea/io/table/table_writer.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <system_error>
#include <utility>

#include "fovea/base/error.h"
#include "fovea/base/pipeline.h"
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

void append_quoted(std::string_view cell, std::string& text) {
  text += '"';
  for (std::size_t quote; (quote = cell.find('"')) != cell.npos; cell.remove_prefix(quote + 1)) {
    text += cell.substr(0, quote);
    text += "\"\"";
  }
  text += cell;
  text += '"';
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

/// Fills a row for `make`.
void make_row(const TableWriter::RowMaker& make, std::size_t row, TableWriter::Row& made) {
  made.cells.clear();
  made.json.clear();
  make(row, made);
}

/// Rows as text, one after the other.
class TextWriter : public TableWriter {
 public:
  explicit TextWriter(OutputFile output) : output_(std::move(output)) {}
  void finish() override { output_.finish(); }

 protected:
  void write(std::string_view text) { output_.write(text); }

 private:
  using Cells = std::span<const std::string_view>;

  virtual void append_row(Cells cells, Cells json, std::string& text) const = 0;

  void write_row(Cells cells, Cells json) override {
    append_row(cells, json, text_);
    output_.write_and_clear(text_);
  }

  void write_rows(std::size_t count, const RowMaker& make, int threads) override {
    constexpr std::size_t kRows = 1024;
    struct Block {
      std::size_t begin = 0, end = 0;
      Row made;
      std::string text;
    };
    std::size_t next = 0;
    run_pipeline(
        threads, [] { return std::make_unique<Block>(); },
        [&](Block& block) {
          block.begin = next;
          block.end = next = std::min(next + kRows, count);
          return block.begin < block.end;
        },
        [&](Block& block) {
          for (std::size_t row = block.begin; row < block.end; ++row) {
            make_row(make, row, block.made);
            append_row(block.made.cells, block.made.json, block.text);
          }
        },
        [&](Block& block) { output_.write_and_clear(block.text); });
  }

  OutputFile output_;
  std::string text_;  // of a row
};

class DelimitedWriter : public TextWriter {
 public:
  DelimitedWriter(OutputFile output, std::span<const std::string> columns, char delimiter)
      : TextWriter(std::move(output)), delimiter_(delimiter) {
    // A reader would take the name of an only column such as sep=; for a line that names the separator.
    if (columns.size() == 1 && separator_named_by(columns[0])) write(fmt::format("sep={}\n", delimiter));
    add_row(std::vector<std::string_view>(columns.begin(), columns.end()));
  }

 private:
  void append_row(std::span<const std::string_view> cells, std::span<const std::string_view>,
                  std::string& text) const override {
    append_delimited_row(cells, delimiter_, text);
  }

  char delimiter_;
};

class JsonLinesWriter : public TextWriter {
 public:
  JsonLinesWriter(OutputFile output, std::span<const std::string> columns) : TextWriter(std::move(output)) {
    for (const std::string& column : columns)
      keys_.push_back(fmt::format("{}{}:", keys_.empty() ? "{" : ",", quoted(column)));
  }

 private:
  void append_row(std::span<const std::string_view> cells, std::span<const std::string_view> json,
                  std::string& text) const override {
    FOVEA_CHECK(cells.size() == keys_.size());
    for (std::size_t c = 0; c < cells.size(); ++c) {
      text += keys_[c];
      if (c < json.size() && !json[c].empty()) text += json[c];
      else text += cells[c].empty() ? "null" : quoted(cells[c]);
    }
    text += "}\n";
  }

  static std::string quoted(std::string_view text) { return nlohmann::json(text).dump(); }

  std::vector<std::string> keys_;  // with the punctuation around them
};

}  // namespace

void TableWriter::write_rows(std::size_t count, const RowMaker& make, int) {
  Row made;
  for (std::size_t row = 0; row < count; ++row) {
    make_row(make, row, made);
    write_row(made.cells, made.json);
  }
}

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

void append_delimited_row(std::span<const std::string_view> cells, char delimiter, std::string& text) {
  if (delimiter == '\t') check_unquoted(cells);
  for (std::size_t c = 0; c < cells.size(); ++c) {
    if (c > 0) text += delimiter;
    if (delimiter != '\t' && needs_quotes(cells[c], delimiter)) append_quoted(cells[c], text);
    else if (cells.size() == 1 && cells[c].empty()) text += "\"\"";  // an empty line would be skipped
    else text += cells[c];
  }
  text += '\n';
}

std::unique_ptr<TableWriter> make_delimited_writer(OutputFile output, std::span<const std::string> columns,
                                                   char delimiter) {
  return std::make_unique<DelimitedWriter>(std::move(output), columns, delimiter);
}

std::unique_ptr<TableWriter> make_json_lines_writer(OutputFile output, std::span<const std::string> columns) {
  return std::make_unique<JsonLinesWriter>(std::move(output), columns);
}

}  // namespace fovea::io
