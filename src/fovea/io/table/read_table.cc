// SPDX-License-Identifier: Apache-2.0
#include "fovea/io/table/read_table.h"

#include <fmt/format.h>

#include <utility>

#include "fovea/base/error.h"
#include "fovea/io/stream.h"
#include "fovea/io/table/delimited_reader.h"
#include "fovea/io/table/json_lines_reader.h"
#include "fovea/io/table/sqlite.h"
#include "fovea/io/table/table.h"
#include "fovea/io/table/table_parts.h"
#include "fovea/io/table/text_encoding.h"

namespace fovea::io {
namespace {

TableFormat format_of_content(std::string_view first_bytes) {
  if (looks_like_sqlite(first_bytes)) return TableFormat::kSqlite;
  return first_bytes.starts_with('{') ? TableFormat::kJsonLines : TableFormat::kCsv;
}

char delimiter_of(Delimiter delimiter, TableFormat format) {
  switch (delimiter) {
    case Delimiter::kAuto:
      return format == TableFormat::kTsv ? '\t' : DelimitedFormat::kFromHeader;
    case Delimiter::kTab:
      return '\t';
    case Delimiter::kComma:
      return ',';
    case Delimiter::kSemicolon:
      return ';';
    case Delimiter::kBar:
      return '|';
  }
  return DelimitedFormat::kFromHeader;
}

}  // namespace

namespace {

[[noreturn]] void refuse_no_header() {
  throw UsageError("option 'no-header': JSON lines and databases name their columns; leave it out");
}

/// A file of text, and how its cells are written.
struct TextTable {
  LineReader lines;
  std::string encoding;
};

TextTable open_text(const std::string& path, const TableReadOptions& options) {
  const bool is_wide = is_wide_encoding(options.encoding);
  const std::string encoding = is_wide ? "utf-8" : options.encoding;
  const bool is_usual = encoding == "utf-8" || encoding == "UTF-8";
  return {LineReader{is_wide    ? ByteSource::converted(path, options.encoding)
                     : is_usual ? ByteSource::converted(path, ByteSource::kByMark)
                                : ByteSource(path)},
          encoding};
}

}  // namespace

Table read_table(const std::string& path, const TableReadOptions& options, int threads) {
  validate(options);
  std::optional<TableFormat> format = options.format;
  if (format == TableFormat::kAuto) format = table_format_of_name(path);
  if (options.no_header && format == TableFormat::kSqlite) refuse_no_header();
  if (format == TableFormat::kSqlite) return read_sqlite(path, options.table, options.missing);

  auto [lines, encoding] = open_text(path, options);
  if (!format) format = format_of_content(lines.peek());
  if (options.no_header && format != TableFormat::kCsv && format != TableFormat::kTsv) refuse_no_header();
  if (format == TableFormat::kSqlite) {
    if (path.empty() || path == "-")
      throw InputError({.file = lines.name()}, "a database cannot be read from standard input", "Give its path");
    return read_sqlite(path, options.table, options.missing);
  }
  if (format == TableFormat::kJsonLines) return read_json_lines(std::move(lines), encoding, options.missing, threads);
  return read_delimited(
      std::move(lines),
      {.delimiter = delimiter_of(options.delimiter, *format), .encoding = encoding, .has_header = !options.no_header},
      options.missing, threads);
}

struct TableParts::Source {
  Source(DelimitedReader open, const std::vector<std::string>& words) : reader(std::move(open)), missing(words) {}

  DelimitedReader reader;
  std::vector<std::string> missing;
};

TableParts::TableParts(const std::string& path, const TableReadOptions& options, std::size_t rows) : rows_(rows) {
  validate(options);
  if (path.empty() || path == "-") throw UsageError("standard input cannot be read part by part: give a file");
  std::optional<TableFormat> format = options.format;
  if (format == TableFormat::kAuto) format = table_format_of_name(path);
  auto [lines, encoding] = open_text(path, options);
  if (!format) format = format_of_content(lines.peek());
  if (format != TableFormat::kCsv && format != TableFormat::kTsv)
    throw UsageError(fmt::format("{}: only delimited text (CSV, TSV) is read part by part", path));
  const DelimitedFormat written{
      .delimiter = delimiter_of(options.delimiter, *format), .encoding = encoding, .has_header = !options.no_header};
  source_ = std::make_unique<Source>(DelimitedReader(std::move(lines), written), options.missing);
}

TableParts::~TableParts() = default;

bool TableParts::next(Table& part) {
  DelimitedReader& reader = source_->reader;
  part = Table(reader.location().file, reader.columns(), RowNumbers::kLines, source_->missing);
  while (part.row_count() < rows_ && reader.next())
    part.add_row(reader.cells(), static_cast<std::int64_t>(reader.line_number()));
  return part.row_count() > 0;
}

}  // namespace fovea::io
