// SPDX-License-Identifier: Apache-2.0
#include "fovea/io/table/sqlite_database.h"

#include <fmt/format.h>
#include <sqlite3.h>

#include <utility>

#include "fovea/base/error.h"

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

}  // namespace fovea::io
