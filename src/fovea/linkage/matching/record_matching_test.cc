// SPDX-License-Identifier: Apache-2.0
#include "fovea/linkage/matching/record_matching.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "fovea/base/error.h"
#include "tests/support/expect_error.h"
#include "tests/support/people_table.h"

namespace fovea::linkage {
namespace {

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

TEST(MatchingOptions, ThresholdsAreProbabilities) {
  EXPECT_EQ(MatchingOptions{}.least_score(), 0);
  EXPECT_NEAR(MatchingOptions{.threshold = .9}.least_score(), std::log(9), 1e-12);
}

/// Scores of all pairs of the part's rows, and of the same rows of the whole.
void expect_scored_alike(const RecordMatching& whole, const RecordMatching& part, const MatchParameters& parameters,
                         const std::vector<std::uint32_t>& of_whole) {
  const MatchModel in_whole(whole.comparisons(), parameters), in_part(part.comparisons(), parameters);
  for (std::uint32_t j = 0; j < of_whole.size(); ++j)
    for (std::uint32_t i = 0; i < j; ++i)
      ASSERT_EQ(in_part.score({i, j}), in_whole.score({of_whole[i], of_whole[j]})) << i << ' ' << j;
}

TEST(RecordMatchingTest, APartIsScoredAsTheWholeByTheModel) {
  const io::Table people = testing::made_up_people(150, .1, Random(3));
  const MatchingOptions options{.compare = "name+surname:words, surname, born:edits, name@size(surname), city",
                                .block = "surname, born"};
  const RecordMatching learned(people, options);
  const MatchParameters parameters = fit_unsupervised(learned.comparisons(), learned.rules(), learned.candidates(), {})
                                         .parameters(learned.comparisons(), {});
  const MatchModelDescription model = parse_match_model(match_model_json(learned.describe(parameters)), "m.er");
  ASSERT_NE(model.statistics, nullptr);
  io::Table some("people.csv", people.columns());
  std::vector<std::uint32_t> all, of_whole;
  for (std::uint32_t row = 0; row < people.row_count(); ++row) {
    all.push_back(row);
    if (row % 3 == 0) continue;
    std::vector<std::string_view> cells;
    for (std::size_t c = 0; c < people.column_count(); ++c) cells.push_back(people.cell(row, c));
    some.add_row(cells, row + 2);
    of_whole.push_back(row);
  }
  const RecordMatching whole(people, options, {}, model.statistics), part(some, options, {}, model.statistics);
  expect_scored_alike(learned, whole, parameters, all);
  expect_scored_alike(whole, part, parameters, of_whole);
  const RecordMatching alone(some, options);
  const MatchModel by_model(part.comparisons(), parameters), by_table(alone.comparisons(), parameters);
  std::size_t differing = 0;
  for (std::uint32_t i = 1; i < some.row_count(); ++i) differing += by_table.score({0, i}) != by_model.score({0, i});
  EXPECT_GT(differing, 0u) << "the part's own statistics are others";
}

}  // namespace
}  // namespace fovea::linkage
