// SPDX-License-Identifier: Apache-2.0
#include "fovea/linkage/matching/record_matching.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "fovea/base/error.h"
#include "tests/support/expect_error.h"
#include "tests/support/people_table.h"

namespace fovea::linkage {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using testing::message_of;

TEST(RecordMatching, ListsAreNeeded) {
  const io::Table table = testing::table_of({"id", "name"}, {{"1", "Ann"}});
  EXPECT_THAT(message_of<UsageError>([&] { RecordMatching(table, {.block = "name"}); }),
              HasSubstr("option 'compare' is needed"));
  EXPECT_THAT(message_of<UsageError>([&] { RecordMatching(table, {.compare = "name"}); }),
              HasSubstr("option 'block' is needed"));
  EXPECT_THAT(message_of<InputError>([&] { RecordMatching(table, {.compare = "nam", .block = "name"}); }),
              HasSubstr("'nam'"));
}

TEST(RecordMatching, WarnsOfBlocksThatAreLeftOut) {
  const io::Table table = testing::table_of({"id", "name"}, {{"1", "Ann"}, {"2", "Ann"}, {"3", "Ann"}});
  EXPECT_THAT(RecordMatching(table, {.compare = "name", .block = "name", .max_block = 2}).warnings(),
              ElementsAre(AllOf(HasSubstr("'ann' with 3"), HasSubstr("option 'max-block'"))));
  EXPECT_TRUE(RecordMatching(table, {.compare = "name", .block = "name"}).warnings().empty());
}

TEST(RecordMatching, DescribesItselfAsOptionsDo) {
  const io::Table table = testing::table_of({"id", "name"}, {{"1", "Ann"}});
  const MatchModelDescription model =
      RecordMatching(table, {.compare = "name:edits", .block = "soundex(name), name"}).describe({});
  EXPECT_EQ(model.compare(), "name:edits");
  EXPECT_EQ(model.block(), "soundex(name), name");
}

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
}

TEST(MatchingOptions, ThresholdsAreProbabilities) {
  EXPECT_EQ(MatchingOptions{}.least_score(), 0);
  EXPECT_NEAR(MatchingOptions{.threshold = .9}.least_score(), std::log(9), 1e-12);
}

}  // namespace
}  // namespace fovea::linkage
