// SPDX-License-Identifier: Apache-2.0
#include "fovea/io/table/sqlite.h"

#include <fmt/format.h>
#include <sqlite3.h>
#include <strings.h>

#include <charconv>
#include <cmath>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "fovea/base/error.h"
#include "fovea/base/temporary_file.h"
#include "fovea/base/text.h"
#include "fovea/io/stream.h"
#include "fovea/io/table/text_encoding.h"

namespace fovea::io {
namespace {

const char* remedy_of(int code) {
  switch (code & 0xFF) {  // the primary code
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
      return "Another program is writing to it; try again when that has finished";
    case SQLITE_NOTADB:
      return "Give a database of SQLite 3, unpacked and not encrypted";
    case SQLITE_CORRUPT:
      return "The file is damaged; 'sqlite3 FILE .recover' may save what is left";
    case SQLITE_CANTOPEN:
      return "Check the path and its permissions";
    case SQLITE_READONLY:
      return "Check the permissions of the file and of its folder";
    case SQLITE_FULL:
      return "Free some space; the database is as it was";
    default:
      return "";
  }
}

[[noreturn]] void refuse(const std::string& path, sqlite3* database) {
  throw InputError({.file = path}, fmt::format("SQLite says: {}", ::sqlite3_errmsg(database)),
                   remedy_of(::sqlite3_extended_errcode(database)));
}

/// The number that makes up all of `text`; nullopt if it is not one, or out of range.
template <class Number>
std::optional<Number> number_in(std::string_view text) {
  Number number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

/// A number with a fraction or an exponent: larger integers would lose digits as such.
std::optional<double> real_in(std::string_view json) {
  if (json.empty() || (json.front() != '-' && (json.front() < '0' || json.front() > '9'))) return std::nullopt;
  return json.find_first_of(".eE") == json.npos ? std::nullopt : number_in<double>(json);
}

/// The shortest JSON that is this number and has a fraction or an exponent; "" for infinity.
std::string json_of(double real) {
  if (!std::isfinite(real)) return "";
  std::string text = fmt::format("{}", real);
  return text.find_first_of(".e") == text.npos ? text + ".0" : text;
}

}  // namespace

void SqliteStatement::Finalizer::operator()(sqlite3_stmt* statement) const { ::sqlite3_finalize(statement); }
void SqliteDatabase::Closer::operator()(sqlite3* database) const { ::sqlite3_close(database); }

SqliteStatement::SqliteStatement(std::string path, sqlite3* database, std::string_view sql)
    : path_(std::move(path)), database_(database) {
  sqlite3_stmt* statement = nullptr;
  const int code = ::sqlite3_prepare_v2(database_, sql.data(), static_cast<int>(sql.size()), &statement, nullptr);
  statement_.reset(statement);
  if (code != SQLITE_OK) refuse(path_, database_);
}

void SqliteStatement::bind(int parameter, std::string_view text) {
  const int code = text.empty() ? ::sqlite3_bind_null(statement_.get(), parameter)
                                : ::sqlite3_bind_text64(statement_.get(), parameter, text.data(), text.size(),
                                                        SQLITE_STATIC, SQLITE_UTF8);
  if (code != SQLITE_OK) refuse(path_, database_);
}

void SqliteStatement::bind(int parameter, std::string_view text, std::string_view json) {
  int code = SQLITE_OK;
  if (const std::optional<std::int64_t> integer = number_in<std::int64_t>(json))
    code = ::sqlite3_bind_int64(statement_.get(), parameter, *integer);
  else if (const std::optional<double> real = real_in(json))
    code = ::sqlite3_bind_double(statement_.get(), parameter, *real);
  else if (text.empty() && !json.empty())
    code = ::sqlite3_bind_text64(statement_.get(), parameter, "", 0, SQLITE_STATIC, SQLITE_UTF8);
  else return bind(parameter, text);
  if (code != SQLITE_OK) refuse(path_, database_);
}

void SqliteStatement::bind(int parameter, const SqliteStatement& row, int column) {
  const int code =
      ::sqlite3_bind_value(statement_.get(), parameter, ::sqlite3_column_value(row.statement_.get(), column));
  if (code != SQLITE_OK) refuse(path_, database_);
}

bool SqliteStatement::step() {
  const int code = ::sqlite3_step(statement_.get());
  if (code == SQLITE_ROW) return true;
  if (code != SQLITE_DONE) refuse(path_, database_);
  ::sqlite3_reset(statement_.get());
  return false;
}

int SqliteStatement::column_count() const { return ::sqlite3_column_count(statement_.get()); }
std::string SqliteStatement::column_name(int column) const { return ::sqlite3_column_name(statement_.get(), column); }

std::string_view SqliteStatement::text(int column) {
  const unsigned char* text = ::sqlite3_column_text(statement_.get(), column);
  if (text == nullptr) return {};
  return {reinterpret_cast<const char*>(text),
          static_cast<std::size_t>(::sqlite3_column_bytes(statement_.get(), column))};
}

std::int64_t SqliteStatement::integer(int column) { return ::sqlite3_column_int64(statement_.get(), column); }
bool SqliteStatement::is_blob(int column) { return ::sqlite3_column_type(statement_.get(), column) == SQLITE_BLOB; }

std::string SqliteStatement::json(int column) {
  switch (::sqlite3_column_type(statement_.get(), column)) {
    case SQLITE_INTEGER:
      return fmt::format("{}", integer(column));
    case SQLITE_FLOAT:
      return json_of(::sqlite3_column_double(statement_.get(), column));
    case SQLITE_TEXT:
      return ::sqlite3_column_bytes(statement_.get(), column) == 0 ? "\"\"" : "";
    default:
      return "";
  }
}

SqliteDatabase::SqliteDatabase(const std::string& path, Access access) : path_(path) {
  const int flags = access == Access::kRead ? SQLITE_OPEN_READONLY : SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE;
  sqlite3* database = nullptr;
  const int code = ::sqlite3_open_v2(path.c_str(), &database, flags | SQLITE_OPEN_NOMUTEX, nullptr);
  database_.reset(database);
  if (code != SQLITE_OK) refuse(path_, database);
  set_lock_patience(30'000);
  ::sqlite3_db_config(database, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, nullptr);
  ::sqlite3_db_config(database, SQLITE_DBCONFIG_DEFENSIVE, 1, nullptr);
}

void SqliteDatabase::set_lock_patience(int milliseconds) { ::sqlite3_busy_timeout(database_.get(), milliseconds); }

std::vector<SqliteDatabase::Relation> SqliteDatabase::relations() {
  std::vector<Relation> relations;
  SqliteStatement list = prepare(
      "SELECT name, type = 'table', type = 'table' AND NOT wr FROM pragma_table_list "
      "WHERE schema = 'main' AND type IN ('table', 'view', 'virtual') AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' "
      "ORDER BY name");
  while (list.step())
    relations.push_back(
        {.name = std::string(list.text(0)), .is_table = list.integer(1) != 0, .has_rowids = list.integer(2) != 0});
  return relations;
}

std::string quoted_name(std::string_view name) {
  std::string quoted = "\"";
  for (const char c : name) quoted.append(c == '"' ? 2 : 1, c);
  return quoted + '"';
}

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
                   fmt::format("Name one by option 'table': {}", fmt::join(names, ", ")));
}

/// Description of the problem with a cell; "" if the cell is good.
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
  std::vector<std::string> json(columns.size());
  for (std::int64_t row = 1; rows.step(); ++row) {
    const std::int64_t number = relation.has_rowids ? rows.integer(0) : row;
    for (std::size_t c = 0; c < columns.size(); ++c) {
      const int at = static_cast<int>(c + 1);
      const bool is_blob = rows.is_blob(at);
      json[c] = rows.json(at);
      cells[c] = rows.text(at);
      if (const std::string problem = is_blob ? "is a blob" : problem_of(cells[c]); !problem.empty())
        throw InputError(table.location_of(number), fmt::format("the cell of '{}' {}", columns[c], problem),
                         "Text is expected; name a view that leaves it out");
    }
    table.add_row(cells, number, std::vector<std::string_view>(json.begin(), json.end()));
  }
  return table;
}

namespace {

/// The type as SQLite declares it. A column without a declared type holds every value as it is given.
std::string_view declared(ColumnType type) {
  switch (type) {
    case ColumnType::kText:
      return " TEXT";
    case ColumnType::kInteger:
      return " INTEGER";
    case ColumnType::kReal:
      return " REAL";
    case ColumnType::kMixed:
      break;
  }
  return "";
}

std::string create_statement(const std::string& name, std::span<const std::string> columns,
                             std::span<const ColumnType> types) {
  FOVEA_CHECK(types.empty() || types.size() == columns.size());
  std::string definitions;
  for (std::size_t c = 0; c < columns.size(); ++c)
    definitions += fmt::format("{}{}{}", definitions.empty() ? "" : ", ", quoted_name(columns[c]),
                               declared(types.empty() ? ColumnType::kText : types[c]));
  return fmt::format("CREATE TABLE {} ({})", quoted_name(name), definitions);
}

SqliteStatement insert_statement(SqliteDatabase& database, const std::string& name, std::size_t columns) {
  std::string parameters = "?";
  for (std::size_t i = 1; i < columns; ++i) parameters += ", ?";
  return database.prepare(fmt::format("INSERT INTO {} VALUES ({})", quoted_name(name), parameters));
}

/// Makes sure that nothing has that name; SQLite ignores case in names.
void make_room(SqliteDatabase& database, const std::string& name, bool replace) {
  for (const SqliteDatabase::Relation& relation : database.relations()) {
    if (::strcasecmp(relation.name.c_str(), name.c_str()) != 0) continue;
    if (!relation.is_table)
      throw InputError({.file = database.path()}, fmt::format("'{}' is a view", relation.name),
                       "Write to a table of another name");
    if (!replace)
      throw InputError({.file = database.path()}, fmt::format("there is a table '{}'", relation.name),
                       "Write to a table of another name, or replace this one by option 'replace'");
    database.execute(fmt::format("DROP TABLE {}", quoted_name(relation.name)));
  }
}

/// Adds a table to an existing database, in one transaction. Without `keeps_journal` a failure spoils the database,
/// which must then be one that nobody else uses.
class TableAdder : public TableWriter {
 public:
  TableAdder(const std::string& path, const std::string& name, std::span<const std::string> columns, bool replace,
             std::span<const ColumnType> types, bool keeps_journal = true)
      : database_(path, SqliteDatabase::Access::kWrite) {
    if (!keeps_journal) database_.execute("PRAGMA journal_mode = OFF");
    database_.execute("BEGIN IMMEDIATE");
    make_room(database_, name, replace);
    database_.execute(create_statement(name, columns, types));
    insert_.emplace(insert_statement(database_, name, columns.size()));
  }

  void finish() override {
    insert_.reset();
    database_.execute("COMMIT");
  }

  /// Adds a row of another database.
  void add_row_of(const SqliteStatement& row) {
    for (int c = 0; c < row.column_count(); ++c) insert_->bind(c + 1, row, c);
    insert_->step();
  }

 private:
  void write_row(std::span<const std::string_view> cells, std::span<const std::string_view> json) override {
    for (std::size_t c = 0; c < cells.size(); ++c)
      insert_->bind(static_cast<int>(c + 1), cells[c], c < json.size() ? json[c] : std::string_view());
    insert_->step();
  }

  SqliteDatabase database_;
  std::optional<SqliteStatement> insert_;
};

/// Makes a new database, under another name until it is complete. If another process was faster, the table goes into
/// that process's database: a database that others may have opened is never removed.
class DatabaseMaker : public TableWriter {
 public:
  DatabaseMaker(const std::string& path, const std::string& name, std::span<const std::string> columns, bool replace,
                std::span<const ColumnType> types)
      : path_(path),
        name_(name),
        columns_(columns.begin(), columns.end()),
        types_(types.begin(), types.end()),
        replace_(replace),
        file_(path, path),
        adder_(std::in_place, file_.name(), name, columns, false, types, false) {}

  void finish() override {
    adder_->finish();
    adder_.reset();
    if (!file_.become_target()) copy_into_target();
  }

 private:
  void write_row(std::span<const std::string_view> cells, std::span<const std::string_view> json) override {
    adder_->add_row(cells, json);
  }

  void copy_into_target() {
    SqliteDatabase made(file_.name(), SqliteDatabase::Access::kRead);
    SqliteStatement rows = made.prepare(fmt::format("SELECT * FROM {}", quoted_name(name_)));
    TableAdder adder(path_, name_, columns_, replace_, types_);
    while (rows.step()) adder.add_row_of(rows);
    adder.finish();
  }

  std::string path_, name_;
  std::vector<std::string> columns_;
  std::vector<ColumnType> types_;
  bool replace_;
  TemporaryFile file_;
  std::optional<TableAdder> adder_;  // in file_
};

}  // namespace

std::unique_ptr<TableWriter> make_sqlite_writer(const std::string& path, const std::string& name,
                                                std::span<const std::string> columns, bool replace,
                                                std::span<const ColumnType> types) {
  if (std::filesystem::exists(path)) return std::make_unique<TableAdder>(path, name, columns, replace, types);
  return std::make_unique<DatabaseMaker>(path, name, columns, replace, types);
}

}  // namespace fovea::io
