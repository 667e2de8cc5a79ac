// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

struct sqlite3;
struct sqlite3_stmt;

#include "fovea/io/table/table.h"
#include "fovea/io/table/table_writer.h"

namespace fovea::io {

/// A compiled statement of an SqliteDatabase, which must outlive it. Parameters count from 1, columns from 0.
class SqliteStatement {
 public:
  /// Binds text, which must stay unchanged until the next step(); "" becomes NULL.
  void bind(int parameter, std::string_view text);
  /// Binds a number if `json`, as in Table::json(), is one that SQLite can hold; otherwise the text, which may be empty
  /// if `json` says so.
  void bind(int parameter, std::string_view text, std::string_view json);
  /// Binds the value in a column of another statement's row.
  void bind(int parameter, const SqliteStatement& row, int column);

  /// Moves to the next row of the result. After the last row it returns false and is ready to run again.
  bool step();

  int column_count() const;
  std::string column_name(int column) const;
  /// Valid until step(); "" for NULL.
  std::string_view text(int column);
  std::int64_t integer(int column);
  /// True if the cell is a blob. To be asked before text(), which may convert the stored value to text; so is json().
  bool is_blob(int column);
  /// The cell as in Table::json(): a number, or "" in quotes for an empty text; otherwise empty.
  std::string json(int column);

 private:
  friend class SqliteDatabase;
  struct Finalizer {
    void operator()(sqlite3_stmt* statement) const;
  };
  SqliteStatement(std::string path, sqlite3* database, std::string_view sql);

  std::string path_;
  sqlite3* database_;
  std::unique_ptr<sqlite3_stmt, Finalizer> statement_;
};

/// A file of SQLite 3. Every error of SQLite becomes an InputError with SQLite's reason and a remedy. Waits for
/// programs that hold a lock, but not for ever.
class SqliteDatabase {
 public:
  enum class Access { kRead, kWrite };

  /// Access::kWrite makes the file if it does not exist.
  SqliteDatabase(const std::string& path, Access access);

  SqliteStatement prepare(std::string_view sql) { return {path_, database_.get(), sql}; }
  /// Sets how long to wait for a lock; the default is half a minute.
  void set_lock_patience(int milliseconds);

  void execute(std::string_view sql) { prepare(sql).step(); }

  /// A table or view, which a SELECT can read by name.
  struct Relation {
    std::string name;
    bool is_table = false;    ///< otherwise a view
    bool has_rowids = false;  ///< rows have numbers of their own
  };
  std::vector<Relation> relations();

  const std::string& path() const { return path_; }

 private:
  struct Closer {
    void operator()(sqlite3* database) const;
  };

  std::string path_;
  std::unique_ptr<sqlite3, Closer> database_;
};

/// The name quoted for SQL, in double quotes.
std::string quoted_name(std::string_view name);

/// True if these are the first bytes of a database.
bool looks_like_sqlite(std::string_view first_bytes);

/// Reads a table or view of an SQLite 3 database, opened read-only. `name`: may be "" if there is only one. NULL is
/// missing; numbers become text as SQLite spells them, and are kept as Table::json().
///
/// Throws InputError, naming rowids (for views, positions of rows), for a file that is not a database, a lock that is
/// not released, an unknown name, blobs, text that is not UTF-8 or holds NUL, and cells above
/// LineReader::kMaxLineBytes.
Table read_sqlite(const std::string& path, const std::string& name = "", const std::vector<std::string>& missing = {});

/// Writes a table within one transaction, which holds a lock from now until finish(). Without finish()
/// the database stays as it was, and a new one is removed. Columns have the types of `types`, or are text if it is
/// empty. Missing cells are NULL. Throws InputError for a view of that name, for a table of that name unless `replace`
/// is set, and for what SQLite refuses.
std::unique_ptr<TableWriter> make_sqlite_writer(const std::string& path, const std::string& name,
                                                std::span<const std::string> columns, bool replace,
                                                std::span<const ColumnType> types = {});

}  // namespace fovea::io
