// SPDX-License-Identifier: Apache-2.0
#include "fovea/io/table/sqlite.h"

#include <gmock/gmock.h>

#include <filesystem>

#include "tests/support/expect_error.h"
#include "tests/support/temporary_folder.h"

namespace fovea::io {
namespace {

using Access = SqliteDatabase::Access;

class SqliteTest : public ::testing::Test {
 protected:
  void execute(std::initializer_list<const char*> statements) {
    SqliteDatabase database(path_, Access::kWrite);
    for (const char* statement : statements) database.execute(statement);
  }
  std::string sqlite_read_error(const std::string& table = "") {
    return message_of<InputError>([&] { read_sqlite(path_, table); });
  }
  std::unique_ptr<TableWriter> writer(const std::string& name, bool replace = false) {
    return make_sqlite_writer(path_, name, std::vector<std::string>{"id", "a \"b\""}, replace);
  }
  static void add(TableWriter& writer, std::vector<std::string_view> cells) { writer.add_row(cells); }

  testing::TemporaryFolder folder_;
  std::string path_ = folder_ / "people.db";
};

TEST_F(SqliteTest, ReadsTheOnlyTable) {
  execute({"CREATE TABLE person (id INTEGER, name TEXT, height REAL)",
           "INSERT INTO person (rowid, id, name, height) VALUES (5, 17, 'Ann', 1.5), (9, NULL, 'NA', NULL)"});
  const Table table = read_sqlite(path_, "", {"NA"});
  EXPECT_THAT(table.columns(), ElementsAre("id", "name", "height"));
  ASSERT_EQ(table.row_count(), 2u);
  EXPECT_EQ(table.cell(0, 0), "17");
  EXPECT_EQ(table.cell(0, 1), "Ann");
  EXPECT_EQ(table.cell(0, 2), "1.5");
  for (std::size_t c = 0; c < 3; ++c) EXPECT_TRUE(table.is_missing(1, c));
  EXPECT_THAT(table.location(1).file, EndsWith("people.db, table person, rowid 9"));
}

TEST_F(SqliteTest, ReadsViewsAndTablesWithoutRowids) {
  execute({"CREATE TABLE t (k TEXT PRIMARY KEY, rowid TEXT) WITHOUT ROWID", "INSERT INTO t VALUES ('x', 'y')",
           "CREATE VIEW \"a view\" AS SELECT k || '!' AS k FROM t"});
  const Table table = read_sqlite(path_, "t"), view = read_sqlite(path_, "a view");
  EXPECT_EQ(table.cell(0, table.column("rowid")), "y");
  EXPECT_THAT(table.location(0).file, EndsWith("table t, row 1"));
  EXPECT_EQ(view.cell(0, 0), "x!");
}

TEST_F(SqliteTest, ATableMayHaveNoRows) {
  execute({"CREATE TABLE t (a, b)"});
  EXPECT_EQ(read_sqlite(path_).row_count(), 0u);
  EXPECT_EQ(read_sqlite(path_).column_count(), 2u);
}

TEST_F(SqliteTest, ATableThatIsNotThereIsNamedWithWhatThereIs) {
  execute({"CREATE TABLE person (a)", "CREATE TABLE place (a)"});
  EXPECT_THAT(sqlite_read_error("persn"),
              AllOf(StartsWith(path_), HasSubstr("no table is called 'persn'. Did you mean 'person'?"),
                    EndsWith("Name one by option 'table': person, place")));
  EXPECT_THAT(sqlite_read_error("x\" UNION SELECT 1"), HasSubstr("no table is called"));
  EXPECT_THAT(sqlite_read_error("sqlite_master"), HasSubstr("no table is called"));
  EXPECT_THAT(sqlite_read_error(), HasSubstr("2 tables, and none is named. Name one by option 'table': person, place"));
}

TEST_F(SqliteTest, RefusesWhatIsNoDatabase) {
  testing::write_file(path_, "id,name\n1,Ann\n but long enough to have a header\n");
  EXPECT_THAT(sqlite_read_error(),
              AllOf(HasSubstr("file is not a database"), HasSubstr("Give a database of SQLite 3")));
  testing::write_file(path_, "");
  EXPECT_THAT(sqlite_read_error(), HasSubstr("a database without tables"));
  std::filesystem::remove(path_);
  EXPECT_THAT(sqlite_read_error(), AllOf(HasSubstr("unable to open"), HasSubstr("Check the path")));
  EXPECT_EQ(folder_.file_count(), 0u) << "reading makes no file";
}

TEST_F(SqliteTest, RefusesADamagedDatabase) {
  execute({"CREATE TABLE t (a)", "INSERT INTO t VALUES ('x')"});
  std::string bytes = testing::read_file(path_);
  bytes[4096] = 99;  // the kind of the table's first page
  testing::write_file(path_, bytes);
  EXPECT_THAT(sqlite_read_error(), AllOf(HasSubstr("malformed"), HasSubstr("The file is damaged")));
}

TEST_F(SqliteTest, RefusesCellsThatAreNoText) {
  const auto error_of = [&](const char* value) {
    execute({"DROP TABLE IF EXISTS t", "CREATE TABLE t (a, b)", "INSERT INTO t VALUES (1, 2)"});
    execute({(std::string("INSERT INTO t VALUES (1, ") + value + ")").c_str()});
    return sqlite_read_error();
  };
  EXPECT_THAT(error_of("x'41'"), HasSubstr("people.db, table t, rowid 2: the cell of 'b' is a blob. Text is expected"));
  EXPECT_THAT(error_of("CAST(x'4AF6' AS TEXT)"), HasSubstr("rowid 2: the cell of 'b' is not UTF-8"));
  EXPECT_THAT(error_of("CAST(x'4A0041' AS TEXT)"), HasSubstr("holds a NUL character"));
  EXPECT_THAT(error_of("printf('%1048577s', 'x')"), HasSubstr("holds more than 1048576 bytes"));
}

TEST_F(SqliteTest, WhatIsWrittenIsReadBack) {
  auto out = writer("my \"table\"");
  add(*out, {"1", "it's \"é\""});
  add(*out, {"", "x\n"});
  out->finish();
  out.reset();
  const Table table = read_sqlite(path_);
  EXPECT_THAT(table.columns(), ElementsAre("id", "a \"b\""));
  ASSERT_EQ(table.row_count(), 2u);
  EXPECT_EQ(table.cell(0, 1), "it's \"é\"");
  EXPECT_TRUE(table.is_missing(1, 0));
  EXPECT_EQ(table.cell(1, 1), "x\n");
  SqliteDatabase database(path_, Access::kRead);
  EXPECT_TRUE(database.prepare("SELECT * FROM \"my \"\"table\"\"\" WHERE id IS NULL").step());
}

TEST_F(SqliteTest, ValuesKeepTheirTypes) {
  execute(
      {"CREATE TABLE t (i INTEGER, r REAL, s TEXT, x)",
       "INSERT INTO t VALUES (9007199254740993, 0.1 + 0.2, '01234', 1), (-1, 3.0, '', 'a'), (NULL, 9e999, NULL, 2.5)"});
  const Table table = read_sqlite(path_);
  EXPECT_EQ(table.json(0, 0), "9007199254740993");
  EXPECT_EQ(table.json(0, 1), "0.30000000000000004");
  EXPECT_EQ(table.json(0, 2), "");
  EXPECT_EQ(table.json(1, 1), "3.0");
  EXPECT_EQ(table.json(1, 2), "\"\"");
  EXPECT_EQ(table.json(2, 1), "") << "infinity has no JSON";
  std::vector<ColumnType> types;
  for (std::size_t c = 0; c < 4; ++c) types.push_back(column_type(table, c));
  EXPECT_THAT(types, ElementsAre(ColumnType::kInteger, ColumnType::kMixed, ColumnType::kText, ColumnType::kMixed));
  const std::string copy = folder_ / "copy.db";
  const auto out = make_sqlite_writer(copy, "t", table.columns(), false, types);
  for (std::size_t row = 0; row < table.row_count(); ++row) {
    std::vector<std::string_view> cells, json;
    for (std::size_t c = 0; c < 4; ++c) {
      cells.push_back(table.cell(row, c));
      json.push_back(table.json(row, c));
    }
    out->add_row(cells, json);
  }
  out->finish();
  SqliteDatabase database(copy, Access::kRead);
  SqliteStatement rows =
      database.prepare("SELECT typeof(i) || typeof(r) || typeof(s) || typeof(x), r = 0.1 + 0.2 FROM t");
  ASSERT_TRUE(rows.step());
  EXPECT_EQ(rows.text(0), "integerrealtextinteger");
  EXPECT_EQ(rows.integer(1), 1) << "to the last digit";
  ASSERT_TRUE(rows.step());
  EXPECT_EQ(rows.text(0), "integerrealtexttext");
  ASSERT_TRUE(rows.step());
  EXPECT_EQ(rows.text(0), "nulltextnullreal");
}

TEST_F(SqliteTest, WholeNumbersThatAreTooLargeStayText) {
  const auto out = make_sqlite_writer(path_, "t", std::vector<std::string>{"a"}, false, std::array{ColumnType::kMixed});
  out->add_row(std::array<std::string_view, 1>{"12345678901234567890"},
               std::array<std::string_view, 1>{"12345678901234567890"});
  out->finish();
  EXPECT_EQ(read_sqlite(path_).cell(0, 0), "12345678901234567890");
}

TEST_F(SqliteTest, WithoutFinishNothingIsThere) {
  add(*writer("t"), {"1", "x"});
  EXPECT_EQ(folder_.file_count(), 0u) << "a new file";
  execute({"CREATE TABLE t (a)", "INSERT INTO t VALUES ('old')"});
  add(*writer("t", true), {"1", "x"});
  add(*writer("u"), {"1", "x"});
  EXPECT_EQ(read_sqlite(path_).cell(0, 0), "old");
  EXPECT_EQ(folder_.file_count(), 1u);
}

TEST_F(SqliteTest, ReplacesATableOnlyWhenTold) {
  execute({"CREATE TABLE Pairs (a)", "CREATE TABLE other (a)", "CREATE VIEW v AS SELECT a FROM other"});
  EXPECT_THAT(message_of<InputError>([&] { writer("pairs"); }),
              AllOf(HasSubstr("there is a table 'Pairs'"), HasSubstr("option 'replace'")));
  EXPECT_THAT(message_of<InputError>([&] { writer("v", true); }), HasSubstr("'v' is a view"));
  const auto out = writer("pairs", true);
  add(*out, {"1", "x"});
  out->finish();
  EXPECT_EQ(read_sqlite(path_, "pairs").cell(0, 1), "x");
  EXPECT_EQ(read_sqlite(path_, "other").row_count(), 0u);
}

TEST_F(SqliteTest, ALockThatLastsIsNamed) {
  execute({"CREATE TABLE t (a)"});
  SqliteDatabase other(path_, Access::kWrite);
  other.execute("BEGIN EXCLUSIVE");
  SqliteDatabase database(path_, Access::kRead);
  database.set_lock_patience(10);
  EXPECT_THAT(message_of<InputError>([&] { database.relations(); }),
              AllOf(HasSubstr("database is locked"), HasSubstr("Another program is writing to it")));
}

TEST_F(SqliteTest, RefusesWhatSqliteRefuses) {
  EXPECT_THAT(message_of<InputError>([&] {
                make_sqlite_writer(path_, "t", std::vector<std::string>{"a", "A"}, false);
              }),
              HasSubstr("duplicate column name: A"));
  EXPECT_THAT(message_of<InputError>([&] { writer("sqlite_x"); }), HasSubstr("reserved for internal use"));
  EXPECT_EQ(folder_.file_count(), 0u);
  testing::write_file(path_, "id,name\n1,Ann\n but long enough to have a header\n");
  EXPECT_THAT(message_of<InputError>([&] { writer("t"); }), HasSubstr("file is not a database"));
  EXPECT_EQ(folder_.file_count(), 1u);
}

}  // namespace
}  // namespace fovea::io
