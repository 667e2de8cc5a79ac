// SPDX-License-Identifier: Apache-2.0
#include "fovea/io/table/text_table_writer.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

#include "fovea/base/error.h"

namespace fovea::io {
namespace {

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
