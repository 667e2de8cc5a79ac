// SPDX-License-Identifier: Apache-2.0
#include "fovea/io/table/table.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "fovea/base/error.h"
#include "tests/support/expect_error.h"

namespace fovea::io {
namespace {

void add(Table& table, std::vector<std::string_view> cells, std::int64_t number) { table.add_row(cells, number); }

TEST(TableTest, HoldsNamedColumnsOfCells) {
  Table table("t", {"id", "name"}, RowNumbers::kLines, {"NA", "?"});
  add(table, {"1", "Ann"}, 2);
  add(table, {"", "NA"}, 3);
  EXPECT_EQ(table.row_count(), 2u);
  EXPECT_THAT(table.columns(), ElementsAre("id", "name"));
  EXPECT_EQ(table.cell(0, table.column("name")), "Ann");
  EXPECT_FALSE(table.is_missing(0, 0));
  EXPECT_TRUE(table.is_missing(1, 0));
  EXPECT_TRUE(table.is_missing(1, 1)) << "a marker";
  EXPECT_EQ(table.find_column("age"), std::nullopt);
}

TEST(TableTest, RowsBeforeANewColumnMissIt) {
  Table table("t");
  add(table, {}, 1);
  EXPECT_EQ(table.add_column("a"), 0u);
  add(table, {"x"}, 2);
  EXPECT_TRUE(table.is_missing(0, 0));
  EXPECT_EQ(table.cell(1, 0), "x");
}

TEST(TableTest, AnUnknownColumnIsNamedWithWhatThereIs) {
  const Table table("t.csv", {"name", "city"});
  EXPECT_EQ(message_of<InputError>([&] { table.column("nmae"); }),
            "t.csv: no column is called 'nmae'. Did you mean 'name'? The columns are name, city");
}

TEST(TableTest, NamesOfColumnsMayBeQuoted) {
  const Table table("t.csv", {"City, State", "\"a\"", "a"});
  EXPECT_EQ(table.column("City, State"), 0u);
  EXPECT_EQ(table.column("\"City, State\""), 0u);
  EXPECT_EQ(table.column("\"a\""), 1u) << "the very name comes first";
  EXPECT_EQ(table.column("\"\"\"a\"\"\""), 1u);
}

TEST(TableTest, RowsKnowWhereTheyCameFrom) {
  Table lines("t.csv", {"a"});
  for (const std::int64_t line : {2, 3, 7, 8, 10}) add(lines, {"x"}, line);
  std::vector<std::uint64_t> found;
  for (std::size_t row = 0; row < 5; ++row) found.push_back(lines.location(row).line);
  EXPECT_THAT(found, ElementsAre(2, 3, 7, 8, 10));
  EXPECT_EQ(lines.location(0).file, "t.csv");

  Table rowids("t.db", {"a"}, RowNumbers::kRowids);
  for (const std::int64_t rowid : {-5, 40, 41}) add(rowids, {"x"}, rowid);
  EXPECT_EQ(rowids.location(0).file, "t.db, rowid -5");
  EXPECT_EQ(rowids.location(2).file, "t.db, rowid 41");
  EXPECT_EQ(rowids.location(2).line, 0u);
}

TEST(TableTest, PartsKeepTheirLocations) {
  const Table file("a.csv", {"x"}), database("b.db", {"x"}, RowNumbers::kRowids);
  Table both("a.csv", {"x"});
  const std::array<std::string_view, 1> cell = {"1"};
  both.begin_part(file);
  both.begin_part(database);  // the first part is empty
  both.add_row(cell, 7);
  both.begin_part(file);
  both.add_row(cell, 8);
  EXPECT_EQ(both.location(0).file, "b.db, rowid 7");
  EXPECT_EQ(both.location(1).file, "a.csv");
  EXPECT_EQ(both.location(1).line, 8u);
  EXPECT_EQ(both.number(1), 8);
}

TEST(TableTest, AppendsPartsWithOtherColumns) {
  Table whole("t", {"a", "b"}), part("t", {"b", "c"});
  add(whole, {"1", "2"}, 1);
  const std::array<std::string_view, 2> cells = {"3", "x"}, json = {"3.0", ""};
  part.add_row(cells, 2, json);
  part.add_row(cells, 5);
  whole.append(part);
  EXPECT_EQ(whole.columns(), (std::vector<std::string>{"a", "b", "c"}));
  EXPECT_EQ(whole.row_count(), 3u);
  EXPECT_EQ(whole.cell(0, 2), "");
  EXPECT_EQ(whole.cell(1, 0), "");
  EXPECT_EQ(whole.cell(2, 1), "3");
  EXPECT_EQ(whole.cell(2, 2), "x");
  EXPECT_EQ(whole.json(0, 1), "");
  EXPECT_EQ(whole.json(1, 1), "3.0");
  EXPECT_EQ(whole.json(2, 1), "");
  EXPECT_EQ(whole.number(1), 2);
  EXPECT_EQ(whole.number(2), 5);
  EXPECT_LT(Table("t").memory_in_bytes(), whole.memory_in_bytes());
}

TEST(TableTest, NumbersInOrderTakeNoMemory) {
  Table ordered("t"), gaps("t");
  for (std::int64_t row = 0; row < 1000; ++row) {
    add(ordered, {}, row + 2);
    add(gaps, {}, 2 * row);
  }
  EXPECT_LT(ordered.memory_in_bytes(), 100u);
  EXPECT_GE(gaps.memory_in_bytes(), 16'000u);
}

TEST(TableTest, RefusesNamesThatNoTableHas) {
  EXPECT_EQ(message_of<InputError>([] {
              Table("t", {"a", "b", "a"});
            }),
            "t: two columns are called 'a'. Give every column its own name");
  std::vector<std::string> names;
  for (std::size_t i = 0; i < Table::kMaxColumns; ++i) names.push_back(std::to_string(i));
  Table full("t", names);
  EXPECT_EQ(message_of<InputError>([&] { full.add_column("x"); }),
            "t: 4097 columns, but a table has at most 4096. Keep values out of the names of columns");
  names.push_back("x");
  EXPECT_EQ(message_of<InputError>([&] { check_column_names({.file = "t", .line = 1}, names); }),
            "t:1: 4097 columns, but a table has at most 4096. Keep values out of the names of columns");
}

RC_GTEST_PROP(TextColumnTest, AppendsColumnsAsIfCellByCell, (std::vector<std::string> cells)) {
  const std::size_t repeats = *rc::gen::inRange<std::size_t>(1, 300);
  TextColumn whole, part;
  for (std::size_t i = 0; i < repeats; ++i)
    for (const std::string& cell : cells) part.append(cell);
  for (int i = 0; i < 3; ++i) whole.append(part);
  RC_ASSERT(whole.size() == 3 * repeats * cells.size());
  for (std::size_t row = 0; row < whole.size(); ++row) RC_ASSERT(whole[row] == cells[row % cells.size()]);
}

RC_GTEST_PROP(TextColumnTest, KeepsWhatIsAppended, (std::vector<std::string> cells)) {
  const std::size_t repeats = *rc::gen::inRange<std::size_t>(1, 100);  // several blocks
  TextColumn column;
  for (std::size_t i = 0; i < repeats; ++i)
    for (const std::string& cell : cells) column.append(cell);
  RC_ASSERT(column.size() == repeats * cells.size());
  for (std::size_t row = 0; row < column.size(); ++row) RC_ASSERT(column[row] == cells[row % cells.size()]);
}

TEST(TextColumnTest, TakesFourBytesACellBesideTheText) {
  constexpr std::size_t kRows = 100'000;
  TextColumn column;
  for (std::size_t row = 0; row < kRows; ++row) column.append("eight by");
  EXPECT_LT(column.memory_in_bytes(), kRows * 13);
  EXPECT_GT(column.memory_in_bytes(), kRows * 12);
}

TEST(TableFormatTest, EndingsTellFormats) {
  EXPECT_EQ(table_format_of_name("a/b.csv"), TableFormat::kCsv);
  EXPECT_EQ(table_format_of_name("b.c.tsv.gz"), TableFormat::kTsv);
  EXPECT_EQ(table_format_of_name("b.ndjson.zst"), TableFormat::kJsonLines);
  EXPECT_EQ(table_format_of_name("b.sqlite3"), TableFormat::kSqlite);
  for (const char* name : {"csv", "-", "", "a.csv/b", "a.txt", "a.csvx", ".gz"})
    EXPECT_EQ(table_format_of_name(name), std::nullopt) << name;
}

TEST(TableFormatTest, OptionsNameFormats) {
  EXPECT_EQ(value_of<TableFormat>("jsonl"), TableFormat::kJsonLines);
  EXPECT_EQ(value_of<TableFormat>("auto"), TableFormat::kAuto);
  EXPECT_EQ(value_of<TableFormat>("xml"), std::nullopt);
}

}  // namespace
}  // namespace fovea::io
