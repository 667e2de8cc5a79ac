// SPDX-License-Identifier: Apache-2.0
#include "fovea/linkage/columns/stacked_tables.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>

#include "fovea/base/error.h"
#include "tests/support/expect_error.h"
#include "tests/support/people_table.h"

namespace fovea::linkage {
namespace {

TEST(StackTables, ColumnsMeetByName) {
  const io::Table first = testing::table_of({"id", "name"}, {{"1", "Ann"}});
  const io::Table second = testing::table_of({"city", "id"}, {{"Ulm", "1"}, {"Bonn", "2"}});
  const io::Table both = stack_tables(first, second);
  EXPECT_THAT(both.columns(), ElementsAre("id", "name", "city"));
  ASSERT_EQ(both.row_count(), 3u);
  EXPECT_EQ(both.cell(0, 1), "Ann");
  EXPECT_EQ(both.cell(2, 0), "2");
  EXPECT_EQ(both.cell(2, 2), "Bonn");
  EXPECT_TRUE(both.is_missing(0, 2));
  EXPECT_TRUE(both.is_missing(1, 1));
  EXPECT_EQ(both.location(2).line, second.location(1).line);
}

TEST(StackTables, ColumnsOfOtherNamesMeetByTheMap) {
  const io::Table first = testing::table_of({"id", "born"}, {{"1", "1980"}}),
                  second = testing::table_of({"id", "dob"}, {{"a", "1981"}}),
                  third = testing::table_of({"id", "dob", "born"}, {{"x", "here", "1982"}});
  const std::array tables = {&first, &second, &third};
  const ColumnMap map("dob=born");
  map.check_used(tables);
  const io::Table all = stack_tables(tables, map);
  EXPECT_THAT(all.columns(), ElementsAre("id", "born", "dob"));
  EXPECT_EQ(all.cell(1, 1), "1981");
  EXPECT_EQ(all.cell(2, 1), "1982");
  EXPECT_EQ(all.cell(2, 2), "here") << "a table with both keeps both";
}

TEST(ColumnMap, NamesMayBeQuoted) {
  const io::Table table = testing::table_of({"id", "City, State"}, {{"1", "Ulm"}});
  EXPECT_THAT(ColumnMap("\"City, State\" = place").names(table), ElementsAre("id", "place"));
}

TEST(ColumnMap, RefusesWhatIsNotAMap) {
  const auto refusal = [](const char* text) { return message_of<UsageError>([&] { ColumnMap map(text); }); };
  testing::expect_messages(refusal, {{"dob", "'dob' is not two names"},
                                     {"dob=", "is not two names"},
                                     {"a=b=c", "is not two names"},
                                     {"a=b, a=c", "two other names for column 'a'"}});
  const io::Table table = testing::table_of({"id", "born"}, {{"1", "1980"}});
  EXPECT_THAT(message_of<UsageError>([&] { ColumnMap("dob=born").check_used(std::array{&table}); }),
              HasSubstr("no table has a column 'dob'"));
}

}  // namespace
}  // namespace fovea::linkage
