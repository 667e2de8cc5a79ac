// SPDX-License-Identifier: Apache-2.0
#include "fovea/io/table/sqlite_writer.h"

#include <fmt/format.h>
#include <strings.h>

#include <filesystem>
#include <optional>
#include <string_view>
#include <vector>

#include "fovea/base/error.h"
#include "fovea/io/table/sqlite_database.h"

namespace fovea {
namespace {

/// Removes the file in the end if it was not there in the beginning, unless told to keep it.
class NewFile {
 public:
  explicit NewFile(const std::string& path) : path_(path), is_doomed_(!std::filesystem::exists(path)) {}
  NewFile(const NewFile&) = delete;
  NewFile& operator=(const NewFile&) = delete;
  ~NewFile() {
    std::error_code ignored;
    if (is_doomed_) std::filesystem::remove(path_, ignored);
  }
  void keep() { is_doomed_ = false; }

 private:
  std::string path_;
  bool is_doomed_;
};

class SqliteWriter : public TableWriter {
 public:
  SqliteWriter(const std::string& path, const std::string& name, std::span<const std::string> columns, bool replace)
      : file_(path), database_(path, SqliteDatabase::Access::kWrite), column_count_(columns.size()) {
    database_.execute("BEGIN IMMEDIATE");
    make_room(name, replace);
    std::string definitions, parameters;
    for (const std::string& column : columns) {
      definitions += fmt::format("{}{} TEXT", definitions.empty() ? "" : ", ", quoted_name(column));
      parameters += parameters.empty() ? "?" : ", ?";
    }
    database_.execute(fmt::format("CREATE TABLE {} ({})", quoted_name(name), definitions));
    insert_.emplace(database_.prepare(fmt::format("INSERT INTO {} VALUES ({})", quoted_name(name), parameters)));
  }

  void add_row(std::span<const std::string_view> cells) override {
    FOVEA_CHECK(cells.size() == column_count_);
    for (std::size_t c = 0; c < cells.size(); ++c) insert_->bind(static_cast<int>(c + 1), cells[c]);
    insert_->step();
  }

  void finish() override {
    database_.execute("COMMIT");
    file_.keep();
  }

 private:
  /// Sees to it that nothing has that name, which SQLite compares without regard to case.
  void make_room(const std::string& name, bool replace) {
    for (const SqliteDatabase::Relation& relation : database_.relations()) {
      if (::strcasecmp(relation.name.c_str(), name.c_str()) != 0) continue;
      if (!relation.is_table)
        throw InputError({.file = database_.path()}, fmt::format("'{}' is a view", relation.name),
                         "Write to a table of another name");
      if (!replace)
        throw InputError({.file = database_.path()}, fmt::format("there is a table '{}'", relation.name),
                         "Write to a table of another name, or replace this one by --replace");
      database_.execute(fmt::format("DROP TABLE {}", quoted_name(relation.name)));
    }
  }

  NewFile file_;  // before the database: removed after that is closed
  SqliteDatabase database_;
  std::size_t column_count_;
  std::optional<SqliteStatement> insert_;
};

}  // namespace

std::unique_ptr<TableWriter> make_sqlite_writer(const std::string& path, const std::string& name,
                                                std::span<const std::string> columns, bool replace) {
  return std::make_unique<SqliteWriter>(path, name, columns, replace);
}

}  // namespace fovea
