// SPDX-License-Identifier: Apache-2.0
#include "fovea/linkage/golden/golden_records.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "fovea/base/error.h"
#include "fovea/io/table/read_table.h"
#include "tests/support/expect_error.h"
#include "tests/support/temporary_folder.h"

namespace fovea::linkage {
namespace {

using ::testing::SizeIs;

class GoldenRecordsTest : public ::testing::Test {
 protected:
  io::Table table_of(const std::string& text, const std::string& name = "t.csv") const {
    fovea::testing::write_file(folder_ / name, text);
    return io::read_table(folder_ / name);
  }

  /// The cells of a column of the golden records.
  std::vector<std::string> column(const io::Table& table, const std::string& rules, const std::string& name,
                                  const std::vector<std::uint32_t>& clusters) const {
    const GoldenRecords golden = golden_records(table, clusters, parse_golden_rules(rules, table, 0));
    std::vector<std::string> cells;
    for (std::size_t row = 0; row < golden.table.row_count(); ++row)
      cells.emplace_back(golden.table.cell(row, golden.table.column(name)));
    return cells;
  }

  const fovea::testing::TemporaryFolder folder_;
  const std::vector<std::uint32_t> clusters_ = {0, 1, 0, 0, 1};
  const io::Table table_ = table_of(
      "id,name,city,updated,points,\"phone, home\"\n"
      "a,Jo,bonn,2020-05-01,7,\n"
      "b,Ann,Ulm,2021-01-01,,11\n"
      "c,Jonathan,Bonn,2019-12-31,12,22\n"
      "d,Jon,Köln,2020-05-02 09:00,9,33\n"
      "e,Anna,,2022-01-01,,\n");
};

TEST_F(GoldenRecordsTest, TakesTheMostFrequentValueOfColumnsWithoutRules) {
  EXPECT_THAT(column(table_, "", "city", clusters_), ElementsAre("bonn", "Ulm"));
  EXPECT_THAT(column(table_, "", "name", clusters_), ElementsAre("Jo", "Ann"));
  EXPECT_THAT(column(table_, "", "cluster_size", clusters_), ElementsAre("3", "2"));
  EXPECT_THAT(column(table_, "", "id", clusters_), ElementsAre("a", "b"));
}

TEST_F(GoldenRecordsTest, OfTheMostFrequentValueTakesTheMostFrequentSpelling) {
  const io::Table table = table_of("id,v\n1,Other\n2,BONN\n3,Bonn\n4,Other\n5,Bonn\n");
  EXPECT_THAT(column(table, "", "v", {0, 0, 0, 0, 0}), ElementsAre("Bonn"));
}

TEST_F(GoldenRecordsTest, ChoosesByLengthAndPlace) {
  EXPECT_THAT(column(table_, "name:longest", "name", clusters_), ElementsAre("Jonathan", "Anna"));
  EXPECT_THAT(column(table_, "name:shortest", "name", clusters_), ElementsAre("Jo", "Ann"));
  EXPECT_THAT(column(table_, "name:last", "name", clusters_), ElementsAre("Jon", "Anna"));
  EXPECT_THAT(column(table_, "city:last", "city", clusters_), ElementsAre("Köln", "Ulm"));
  EXPECT_THAT(column(table_, "phone, home:first", "phone, home", clusters_), ElementsAre("22", "11"));
}

TEST_F(GoldenRecordsTest, ChoosesByDatesAndNumbers) {
  EXPECT_THAT(column(table_, "name:latest(updated)", "name", clusters_), ElementsAre("Jon", "Anna"));
  EXPECT_THAT(column(table_, "name:earliest(updated)", "name", clusters_), ElementsAre("Jonathan", "Ann"));
  EXPECT_THAT(column(table_, "name:latest(points)", "name", clusters_), ElementsAre("Jonathan", "Ann"));
  EXPECT_THAT(column(table_, "points:max, updated:min", "points", clusters_), ElementsAre("12", ""));
  EXPECT_THAT(column(table_, "points:min, updated:min", "updated", clusters_), ElementsAre("2019-12-31", "2021-01-01"));
  // The record with the latest date has no city: of those that have one, the latest counts.
  EXPECT_THAT(column(table_, "city:latest(updated)", "city", clusters_), ElementsAre("Köln", "Ulm"));
}

TEST_F(GoldenRecordsTest, TellsTimesOfOneDayApart) {
  const io::Table table = table_of("id,v,at\n1,x,2020-01-01 08:15\n2,y,2020-01-01 17:30\n3,z,2020-01-01 09:00\n");
  EXPECT_THAT(column(table, "v:latest(at)", "v", {0, 0, 0}), ElementsAre("y"));
}

TEST_F(GoldenRecordsTest, JoinsDifferentCells) {
  const io::Table table = table_of("id,v\n1,x\n2,y\n3,x\n4,\n");
  EXPECT_THAT(column(table, "v:join", "v", {0, 0, 0, 0}), ElementsAre("x; y"));
  EXPECT_THAT(column(table, "v:join(\" | \")", "v", {0, 0, 0, 3}), ElementsAre("x | y", ""));
  EXPECT_THAT(column(table, "v:join(,)", "v", {0, 0, 0, 0}), ElementsAre("x,y"));
}

TEST_F(GoldenRecordsTest, CellsKeepTheirTypes) {
  const io::Table table =
      table_of("{\"id\": 1, \"n\": 5, \"t\": \"a\"}\n{\"id\": 2, \"n\": 7, \"t\": \"b\"}\n", "t.jsonl");
  const GoldenRecords golden =
      golden_records(table, std::vector<std::uint32_t>{0, 0}, parse_golden_rules("n:max, t:join", table, 0));
  ASSERT_EQ(golden.table.row_count(), 1u);
  EXPECT_EQ(golden.table.json(0, 1), "7");
  EXPECT_EQ(golden.table.json(0, 2), "");
  EXPECT_EQ(golden.table.cell(0, 2), "a; b");
  EXPECT_EQ(golden.table.json(0, 3), "2");
}

TEST_F(GoldenRecordsTest, TellsOfCellsThatAreNoDates) {
  const io::Table some = table_of("id,at\n1,2020-01-01\n2,soon\n3,2020-01-03\n");
  EXPECT_THAT(golden_records(some, std::vector<std::uint32_t>{0, 0, 0}, parse_golden_rules("at:max", some, 0)).warnings,
              ElementsAre(HasSubstr("1 of 3 cells are not dates, the first 'soon'")));
  const io::Table most = table_of("id,at\n1,now\n2,soon\n3,2020-01-03\n");
  const auto refused = [&] {
    golden_records(most, std::vector<std::uint32_t>{0, 0, 0}, parse_golden_rules("at:max", most, 0));
  };
  EXPECT_THAT(message_of<InputError>(refused), HasSubstr("2 of 3 cells are not dates"));
  EXPECT_THAT(golden_records(table_, clusters_, parse_golden_rules("", table_, 0)).warnings, IsEmpty());
}

TEST_F(GoldenRecordsTest, RefusesWhatIsNoListOfRules) {
  const auto refusal = [&](const char* rules) {
    return message_of<UsageError>([&] { parse_golden_rules(rules, table_, 0); });
  };
  fovea::testing::expect_messages(refusal, {{"name", "is not a column with its rule"},
                                            {"name:best", "there is no rule 'best'; the rules are most-frequent"},
                                            {"name:latest", "needs a column of dates or numbers"},
                                            {"name:longest(city)", "takes nothing in parentheses"},
                                            {"name:longest, name:first", "column 'name' has two rules"},
                                            {"id:longest", "is the column of ids"},
                                            {"name:latest(updated", "has no closing parenthesis"}});
  EXPECT_THAT(message_of<InputError>([&] { parse_golden_rules("nam:longest", table_, 0); }), HasSubstr("nam"));
}

TEST_F(GoldenRecordsTest, IsAsSureAsTheLeastSureRecord) {
  constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();
  const std::vector<double> least =
      least_confidence(clusters_, std::vector<double>{.9, kUnknown, .7, kUnknown, kUnknown});
  ASSERT_THAT(least, SizeIs(2));
  EXPECT_EQ(least[0], .7);
  EXPECT_TRUE(std::isnan(least[1]));
}

}  // namespace
}  // namespace fovea::linkage
