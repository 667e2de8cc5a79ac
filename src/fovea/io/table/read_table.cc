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

Table read_table(const std::string& path, const TableReadOptions& options, int threads) {
  validate(options);
  std::optional<TableFormat> format = options.format;
  if (format == TableFormat::kAuto) format = table_format_of_name(path);
  if (format == TableFormat::kSqlite) return read_sqlite(path, options.table, options.missing);

  const bool is_wide = is_wide_encoding(options.encoding);
  const std::string encoding = is_wide ? "utf-8" : options.encoding;
  const bool is_usual = encoding == "utf-8" || encoding == "UTF-8";
  LineReader lines{is_wide    ? ByteSource::converted(path, options.encoding)
                   : is_usual ? ByteSource::converted(path, ByteSource::kByMark)
                              : ByteSource(path)};
  if (!format) format = format_of_content(lines.peek());
  if (format == TableFormat::kSqlite) {
    if (path.empty() || path == "-")
      throw InputError({.file = lines.name()}, "a database cannot be read from standard input", "Give its path");
    return read_sqlite(path, options.table, options.missing);
  }
  if (format == TableFormat::kJsonLines) return read_json_lines(std::move(lines), encoding, options.missing, threads);
  return read_delimited(std::move(lines), {.delimiter = delimiter_of(options.delimiter, *format), .encoding = encoding},
                        options.missing, threads);
}

}  // namespace fovea::io
