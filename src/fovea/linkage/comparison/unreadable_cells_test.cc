// SPDX-License-Identifier: Apache-2.0
#include "fovea/linkage/comparison/unreadable_cells.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "fovea/base/error.h"
#include "tests/support/expect_error.h"
#include "tests/support/people_table.h"

namespace fovea::linkage {
namespace {

std::vector<std::string> check(std::string_view comparisons, std::string_view rules, const io::Table& table) {
  return check_readable(parse_comparisons(comparisons, table), parse_blocking_rules(rules, table), table);
}

TEST(UnreadableCellsTest, FewAreWarnedOf) {
  const io::Table table = testing::table_of(
      {"born", "price", "town"},
      {{"1980-07-05", "1", "48,16"}, {"", "x", ""}, {"13/02/90", "2", "48,16"}, {"1.2.1980", "1 000", "48,16"}});
  EXPECT_THAT(check("born:date, price:number, town:place", "price", table),
              ElementsAre(AllOf(HasSubstr("'born:date': 1 of 3 cells are not dates, the first '13/02/90'; they count"),
                                HasSubstr("option 'date-format dmy'")),
                          AllOf(HasSubstr("'price:number': 1 of 4 cells are not numbers, the first 'x'"),
                                HasSubstr("option 'missing'"))));
  EXPECT_THAT(check("price", "year(born)+price, month(born)", table),
              ElementsAre(HasSubstr("'year(born)': 1 of 3 cells are not dates")));
  EXPECT_EQ(check("born:date", "year(born)", table).size(), 1u) << "once for each column of dates";
  EXPECT_THAT(check("year(born):number", "price", table), ElementsAre(HasSubstr("'year(born):number': 1 of 3")));
  EXPECT_TRUE(check("born:date(dmy)", "year(born, dmy)", table).empty());
}

TEST(UnreadableCellsTest, ManyAreRefused) {
  const io::Table table =
      testing::table_of({"born", "when"}, {{"1980", "12/31/1980"}, {"soon", "1/2/1980"}, {"late", "12/30/1980"}});
  const auto refusal = [&](const char* comparison) {
    return message_of<InputError>([&] { check(comparison, "born", table); });
  };
  EXPECT_THAT(refusal("born:date"), AllOf(HasSubstr("'born:date': 2 of 3 cells are not dates, the first 'soon'"),
                                          HasSubstr("dmy, mdy, ymd or a pattern"), Not(HasSubstr("count as missing"))));
  EXPECT_THAT(refusal("when:date"), HasSubstr("option 'date-format mdy'"));
  EXPECT_THAT(refusal("when:number"), HasSubstr("3 of 3 cells are not numbers"));
  EXPECT_THAT(message_of<InputError>([&] { check("born", "year(when)", table); }), HasSubstr("'year(when)': 2 of 3"));
}

TEST(UnreadableCellsTest, HalfIsAllowedAndLongCellsAreCut) {
  const io::Table table = testing::table_of({"born"}, {{"1980"}, {std::string(100, 'x')}});
  EXPECT_THAT(check("born:date", "born", table), ElementsAre(HasSubstr("'" + std::string(60, 'x') + "...'")));
}

}  // namespace
}  // namespace fovea::linkage
