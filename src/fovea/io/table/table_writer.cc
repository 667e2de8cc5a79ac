// SPDX-License-Identifier: Apache-2.0
#include "fovea/io/table/table_writer.h"

#include <fmt/format.h>

#include <filesystem>
#include <system_error>

#include "fovea/base/error.h"
#include "fovea/io/table/sqlite.h"
#include "fovea/io/table/table.h"
#include "fovea/io/table/table_format.h"
#include "fovea/io/table/text_table_writer.h"

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

}  // namespace

std::unique_ptr<TableWriter> make_table_writer(const std::string& path, const std::vector<std::string>& columns,
                                               const TableWriteOptions& options) {
  const TableFormat format = format_of(path, options);
  check_column_names({.file = path}, columns);
  if (format == TableFormat::kJsonLines) return make_json_lines_writer(OutputFile(path), columns);
  if (format != TableFormat::kSqlite)
    return make_delimited_writer(OutputFile(path), columns, format == TableFormat::kTsv ? '\t' : ',');
  if (path.empty() || path == "-") throw UsageError("a database is a file, not standard output; give its path");
  if (options.table.empty()) throw UsageError("name the table in the database to write by option 'output-table'");
  return make_sqlite_writer(path, options.table, columns, options.replace);
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

}  // namespace fovea::io
