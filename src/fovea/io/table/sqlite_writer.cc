// SPDX-License-Identifier: Apache-2.0
#include "fovea/io/table/sqlite_writer.h"

#include <fmt/format.h>
#include <strings.h>

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "fovea/base/error.h"
#include "fovea/base/temporary_file.h"
#include "fovea/io/table/sqlite_database.h"

namespace fovea::io {
namespace {

std::string create_statement(const std::string& name, std::span<const std::string> columns) {
  std::string definitions;
  for (const std::string& column : columns)
    definitions += fmt::format("{}{} TEXT", definitions.empty() ? "" : ", ", quoted_name(column));
  return fmt::format("CREATE TABLE {} ({})", quoted_name(name), definitions);
}

SqliteStatement insert_statement(SqliteDatabase& database, const std::string& name, std::size_t columns) {
  std::string parameters = "?";
  for (std::size_t i = 1; i < columns; ++i) parameters += ", ?";
  return database.prepare(fmt::format("INSERT INTO {} VALUES ({})", quoted_name(name), parameters));
}

/// Sees to it that nothing has that name, which SQLite compares without regard to case.
void make_room(SqliteDatabase& database, const std::string& name, bool replace) {
  for (const SqliteDatabase::Relation& relation : database.relations()) {
    if (::strcasecmp(relation.name.c_str(), name.c_str()) != 0) continue;
    if (!relation.is_table)
      throw InputError({.file = database.path()}, fmt::format("'{}' is a view", relation.name),
                       "Write to a table of another name");
    if (!replace)
      throw InputError({.file = database.path()}, fmt::format("there is a table '{}'", relation.name),
                       "Write to a table of another name, or replace this one by --replace");
    database.execute(fmt::format("DROP TABLE {}", quoted_name(relation.name)));
  }
}

/// Adds a table to a database that is there, in one transaction. keeps_journal: else a failure spoils the database,
/// which must be one that nobody else knows.
class TableAdder : public TableWriter {
 public:
  TableAdder(const std::string& path, const std::string& name, std::span<const std::string> columns, bool replace,
             bool keeps_journal = true)
      : database_(path, SqliteDatabase::Access::kWrite) {
    if (!keeps_journal) database_.execute("PRAGMA journal_mode = OFF");
    database_.execute("BEGIN IMMEDIATE");
    make_room(database_, name, replace);
    database_.execute(create_statement(name, columns));
    insert_.emplace(insert_statement(database_, name, columns.size()));
  }

  void finish() override {
    insert_.reset();
    database_.execute("COMMIT");
  }

 private:
  void write_row(std::span<const std::string_view> cells, std::span<const std::string_view>) override {
    for (std::size_t c = 0; c < cells.size(); ++c) insert_->bind(static_cast<int>(c + 1), cells[c]);
    insert_->step();
  }

  SqliteDatabase database_;
  std::optional<SqliteStatement> insert_;
};

/// Makes a database that is not there yet, under another name until it is whole. Where another process was faster, the
/// table goes into that one's: a database that others may have opened is never removed.
class DatabaseMaker : public TableWriter {
 public:
  DatabaseMaker(const std::string& path, const std::string& name, std::span<const std::string> columns, bool replace)
      : path_(path),
        name_(name),
        columns_(columns.begin(), columns.end()),
        replace_(replace),
        file_(path, path),
        adder_(std::in_place, file_.name(), name, columns, false, false) {}

  void finish() override {
    adder_->finish();
    adder_.reset();
    if (!file_.become_target()) copy_into_target();
  }

 private:
  void write_row(std::span<const std::string_view> cells, std::span<const std::string_view>) override {
    adder_->add_row(cells);
  }

  void copy_into_target() {
    SqliteDatabase made(file_.name(), SqliteDatabase::Access::kRead);
    SqliteStatement rows = made.prepare(fmt::format("SELECT * FROM {}", quoted_name(name_)));
    TableAdder adder(path_, name_, columns_, replace_);
    std::vector<std::string_view> cells(columns_.size());
    while (rows.step()) {
      for (std::size_t c = 0; c < cells.size(); ++c) cells[c] = rows.text(static_cast<int>(c));
      adder.add_row(cells);
    }
    adder.finish();
  }

  std::string path_, name_;
  std::vector<std::string> columns_;
  bool replace_;
  TemporaryFile file_;
  std::optional<TableAdder> adder_;  // in file_
};

}  // namespace

std::unique_ptr<TableWriter> make_sqlite_writer(const std::string& path, const std::string& name,
                                                std::span<const std::string> columns, bool replace) {
  if (std::filesystem::exists(path)) return std::make_unique<TableAdder>(path, name, columns, replace);
  return std::make_unique<DatabaseMaker>(path, name, columns, replace);
}

}  // namespace fovea::io
