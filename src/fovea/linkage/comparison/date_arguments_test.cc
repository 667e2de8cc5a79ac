// SPDX-License-Identifier: Apache-2.0
#include "fovea/linkage/comparison/date_arguments.h"

#include <gtest/gtest.h>

#include "fovea/base/error.h"
#include "fovea/linkage/comparison/comparison.h"
#include "tests/support/expect_error.h"

namespace fovea::linkage {
namespace {

TEST(DateArgumentsTest, EveryPlaceOfADate) {
  const io::Table table("t.csv", {"born", "date", "year(born)", "city"});
  const auto with = [&](std::string_view list) { return with_date_format(list, "mdy", table); };
  EXPECT_EQ(with("born:date, city"), "born:date(mdy), city");
  EXPECT_EQ(with("born : date ( 1d, 1y ) , date:date"), "born : date(1d, 1y, mdy), date:date(mdy)");
  EXPECT_EQ(with("date, date:edits"), "date, date:edits") << "here it is a column";
  EXPECT_EQ(with("year(born)"), "year(born)") << "a column, too";
  EXPECT_EQ(with("year( born )+city, month(born,dmy)"), "year(born, mdy)+city, month(born, mdy)");
  EXPECT_EQ(with("city@size(year(date))"), "city@size(year(date, mdy))");
  EXPECT_EQ(with("born:date(dmy)@size(city)"), "born:date(mdy)@size(city)");
  EXPECT_EQ(with("\"x:date\":words, birthyear(x)"), "\"x:date\":words, birthyear(x)");
  EXPECT_EQ(with_date_format("born:date(\"%d, %m %y\")", "%b %d, %Y", table), "born:date(\"%b %d, %Y\")");
  EXPECT_THAT(message_of<UsageError>([&] { with_date_format("born:date", "usa", table); }), HasSubstr("'usa'"));
}

TEST(DateArgumentsTest, WhatItWritesIsRead) {
  io::Table table("t.csv", {"born"});
  const std::array<std::string_view, 1> cells[] = {{"Jul 5, 1980"}, {"Jul 6, 1980"}, {"5.7.1980"}};
  for (std::size_t row = 0; row < std::size(cells); ++row)
    table.add_row(cells[row], static_cast<std::int64_t>(row + 2));
  const auto comparisons =
      parse_comparisons(with_date_format("born:date(1d), year(born):number", "%b %d, %Y", table), table);
  EXPECT_EQ(comparisons[0].levels().at(comparisons[0].compare(0, 1)), "within 1 day");
  EXPECT_EQ(comparisons[1].levels().at(comparisons[1].compare(0, 1)), "equal");
  for (const Comparison& comparison : comparisons) {
    EXPECT_EQ(comparison.unreadable().count, 1u);
    EXPECT_EQ(comparison.unreadable().first_row, 2u);
    EXPECT_EQ(comparison.unreadable().filled, 3u);
  }
}

}  // namespace
}  // namespace fovea::linkage
