// SPDX-License-Identifier: Apache-2.0
#include "fovea/io/table/sqlite_reader.h"

#include <fmt/format.h>

#include <utility>

#include "fovea/base/error.h"
#include "fovea/base/text.h"
#include "fovea/io/stream.h"
#include "fovea/io/table/sqlite_database.h"
#include "fovea/io/table/text_encoding.h"

namespace fovea::io {
namespace {

using Relation = SqliteDatabase::Relation;

/// The relation called `name`, or the only one.
Relation find_relation(SqliteDatabase& database, const std::string& name) {
  const std::vector<Relation> relations = database.relations();
  if (relations.empty()) throw InputError({.file = database.path()}, "a database without tables", "Give another file");
  std::vector<std::string> names;
  for (const Relation& relation : relations) {
    if (relation.name == name || (name.empty() && relations.size() == 1)) return relation;
    names.push_back(relation.name);
  }
  throw InputError({.file = database.path()},
                   name.empty() ? fmt::format("{} tables, and none is named", names.size())
                                : fmt::format("no table is called '{}'.{}", name, suggestion(name, names)),
                   fmt::format("Name one by --table: {}", fmt::join(names, ", ")));
}

/// What is wrong with a cell; "" if nothing is.
std::string problem_of(std::string_view cell) {
  if (cell.size() > LineReader::kMaxLineBytes)
    return fmt::format("holds more than {} bytes", LineReader::kMaxLineBytes);
  if (cell.find('\0') != cell.npos) return "holds a NUL character";
  if (find_invalid_utf8(cell) != cell.npos) return "is not UTF-8";
  return "";
}

}  // namespace

bool looks_like_sqlite(std::string_view first_bytes) {
  return first_bytes.starts_with(std::string_view("SQLite format 3\0", 16));
}

Table read_sqlite(const std::string& path, const std::string& name, const std::vector<std::string>& missing) {
  SqliteDatabase database(path, SqliteDatabase::Access::kRead);
  const Relation relation = find_relation(database, name);
  SqliteStatement rows = database.prepare(
      fmt::format("SELECT {}, * FROM {}", relation.has_rowids ? "rowid" : "0", quoted_name(relation.name)));
  std::vector<std::string> columns;
  for (int c = 1; c < rows.column_count(); ++c) columns.push_back(rows.column_name(c));
  Table table(fmt::format("{}, table {}", path, relation.name), columns,
              relation.has_rowids ? RowNumbers::kRowids : RowNumbers::kRows, missing);
  std::vector<std::string_view> cells(columns.size());
  for (std::int64_t row = 1; rows.step(); ++row) {
    const std::int64_t number = relation.has_rowids ? rows.integer(0) : row;
    for (std::size_t c = 0; c < columns.size(); ++c) {
      const int at = static_cast<int>(c + 1);
      const bool is_blob = rows.is_blob(at);
      cells[c] = rows.text(at);
      if (const std::string problem = is_blob ? "is a blob" : problem_of(cells[c]); !problem.empty())
        throw InputError(table.location_of(number), fmt::format("the cell of '{}' {}", columns[c], problem),
                         "Text is expected; name a view that leaves it out");
    }
    table.add_row(cells, number);
  }
  return table;
}

}  // namespace fovea::io
