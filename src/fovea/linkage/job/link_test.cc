// SPDX-License-Identifier: Apache-2.0
#include "fovea/linkage/job/link.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "fovea/base/error.h"
#include "tests/support/expect_error.h"
#include "tests/support/people_table.h"

namespace fovea::linkage {
namespace {

using ::testing::SizeIs;

class LinkTest : public ::testing::Test {
 protected:
  LinkTest() {
    const io::Table people = testing::made_up_people(600, .3, Random(5));
    for (std::size_t t = 0; t < 3; ++t) {
      std::vector<std::string> columns = people.columns();
      if (t == 2) std::ranges::replace(columns, std::string("surname"), std::string("last name"));
      tables_.emplace_back("table " + std::to_string(t), columns, io::RowNumbers::kRows);
      std::vector<std::string_view> cells(people.column_count());
      for (std::size_t row = t; row < people.row_count(); row += 3) {
        for (std::size_t c = 0; c < cells.size(); ++c) cells[c] = people.cell(row, c);
        tables_.back().add_row(cells, static_cast<std::int64_t>(row / 3 + 1));
      }
    }
    job_.matching.matching = {.compare = "name:edits, surname:edits, born:edits, city", .block = "surname, name, born"};
    job_.options.gold = "person";
  }

  std::string person(std::size_t table, std::uint32_t row) const {
    return std::string(tables_[table].cell(row, tables_[table].column("person")));
  }

  std::vector<io::Table> tables_;
  LinkJob job_;
};

TEST_F(LinkTest, LinksAreRowsOfTheirTables) {
  const LinkResult found = link(tables_[0], tables_[1], job_);
  ASSERT_TRUE(found.metrics);
  EXPECT_GT(found.metrics->f1(), .9);
  std::uint64_t correct = 0;
  for (const ProbablePair& link : found.links)
    correct += person(0, link.pair.rows.first) == person(1, link.pair.rows.second);
  EXPECT_EQ(correct, found.metrics->correct);
  EXPECT_EQ(found.metrics->predicted, found.links.size());
  std::uint64_t gold = 0;
  for (std::uint32_t a = 0; a < tables_[0].row_count(); ++a)
    for (std::uint32_t b = 0; b < tables_[1].row_count(); ++b) gold += person(0, a) == person(1, b);
  EXPECT_EQ(found.metrics->gold, gold);
}

TEST_F(LinkTest, LinksSeveralTablesWhoseColumnsHaveOtherNames) {
  job_.options.map = "last name=surname";
  const std::array tables = {&tables_[0], &tables_[1], &tables_[2]};
  const LinkResult found = link(tables, job_);
  EXPECT_GT(found.metrics->f1(), .85);
  ASSERT_EQ(found.tables.size(), found.links.size());
  std::uint64_t correct = 0;
  for (std::size_t i = 0; i < found.links.size(); ++i) {
    const auto [first, second] = found.tables[i];
    EXPECT_LT(first, second);
    correct += person(first, found.links[i].pair.rows.first) == person(second, found.links[i].pair.rows.second);
  }
  EXPECT_EQ(correct, found.metrics->correct);
  job_.options.map = "";
  EXPECT_THAT(message_of<InputError>([&] { link(tables, job_); }), HasSubstr("'surname'"));
}

/// The second table has both columns, so that it keeps them; in the first, none is called city any more.
TEST_F(LinkTest, RefusesAColumnThatHasAnotherNameNow) {
  tables_[1].add_column("town");
  job_.options.map = "city=town";
  EXPECT_THAT(message_of<InputError>([&] { link(tables_[0], tables_[1], job_); }),
              HasSubstr("column 'city' is called 'town' by option 'map'"));
}

TEST_F(LinkTest, KeepsToWhatIsKnownOfPairs) {
  const LinkResult before = link(tables_[0], tables_[1], job_);
  io::Table known("known", {"first", "second", "match"});
  const RowPair linked = before.links.front().pair.rows;
  const std::string first = std::to_string(linked.first), second = std::to_string(linked.second);
  known.add_row(std::vector<std::string_view>{first, second, "0"}, 1);
  known.add_row(std::vector<std::string_view>{"190", "3", "1"}, 2);
  job_.known_pairs = &known;
  const LinkResult after = link(tables_[0], tables_[1], job_);
  const auto has = [&](std::uint32_t a, std::uint32_t b) {
    return std::ranges::any_of(
        after.links, [&](const ProbablePair& link) { return link.pair.rows.first == a && link.pair.rows.second == b; });
  };
  EXPECT_FALSE(has(linked.first, linked.second));
  EXPECT_TRUE(has(190, 3));
}

/// A prior by far too low leaves nothing linked, until labels say otherwise.
TEST_F(LinkTest, LearnsFromLabels) {
  job_.matching.unsupervised.prior = 1e-9;
  const LinkResult without = link(tables_[0], tables_[1], job_);
  job_.labels.labels = "person";
  const LinkResult with = link(tables_[0], tables_[1], job_);
  EXPECT_LT(without.metrics->f1(), .8);
  EXPECT_GT(with.metrics->f1(), without.metrics->f1() + .1);

  job_.labels.labels = "";
  io::Table answers("answers", {"first", "second", "match"});
  for (std::uint32_t a = 0; a < tables_[0].row_count(); ++a)
    for (std::uint32_t b = a < 1 ? 0 : a - 1; b < std::min<std::size_t>(a + 2, tables_[1].row_count()); ++b) {
      const std::string first = std::to_string(a), second = std::to_string(b);
      answers.add_row(std::vector<std::string_view>{first, second, person(0, a) == person(1, b) ? "1" : "0"},
                      static_cast<std::int64_t>(answers.row_count()) + 1);
    }
  job_.pair_labels = &answers;
  EXPECT_GT(link(tables_[0], tables_[1], job_).metrics->f1(), without.metrics->f1() + .1);
}

TEST_F(LinkTest, RefusesWhatItCannotDo) {
  const std::array one = {&tables_[0]};
  EXPECT_THAT(message_of<UsageError>([&] { link(one, job_); }), HasSubstr("one table only"));
  job_.options.gold = "who";
  EXPECT_THAT(message_of<InputError>([&] { link(tables_[0], tables_[1], job_); }), HasSubstr("'who'"));
  const io::Table empty("empty", tables_[0].columns());
  job_.options.gold = "";
  EXPECT_THAT(message_of<InputError>([&] { link(tables_[0], empty, job_); }), HasSubstr("without records"));
}

}  // namespace
}  // namespace fovea::linkage
