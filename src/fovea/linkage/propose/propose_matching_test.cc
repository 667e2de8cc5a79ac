// SPDX-License-Identifier: Apache-2.0
#include "fovea/linkage/propose/propose_matching.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "fovea/base/error.h"
#include "fovea/linkage/job/dedupe.h"
#include "fovea/linkage/propose/column_profile.h"
#include "tests/support/expect_error.h"
#include "tests/support/people_table.h"

namespace fovea::linkage {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

/// A table of one column, whose cells come back again and again.
io::Table column_of(const std::vector<std::string>& cells, const std::string& name = "x") {
  io::Table table("table", {name});
  for (std::size_t row = 0; row < 300; ++row)
    table.add_row(std::vector<std::string_view>{cells[7 * row % cells.size()]}, row + 2);
  return table;
}

ColumnForm form_of_cells(const std::vector<std::string>& cells) { return profile_column(column_of(cells), 0).form; }

std::vector<std::string> numbered(const char* pattern) {
  std::vector<std::string> texts;
  for (int i = 0; i < 100; ++i) texts.push_back(fmt::format(fmt::runtime(pattern), i, 10 + i % 80));
  return texts;
}

TEST(ColumnProfile, TellsFormsByValues) {
  EXPECT_EQ(form_of_cells({"always the same"}), ColumnForm::kUseless);
  EXPECT_EQ(form_of_cells({"", "", ""}), ColumnForm::kUseless);
  EXPECT_EQ(form_of_cells({"f", "m"}), ColumnForm::kCategory);
  EXPECT_EQ(form_of_cells(numbered("19{1}-03-05")), ColumnForm::kDate);
  EXPECT_EQ(form_of_cells(numbered("3 May 19{1}")), ColumnForm::kDate);
  EXPECT_EQ(form_of_cells(numbered("anna{0}@example.org")), ColumnForm::kEmail);
  EXPECT_EQ(form_of_cells(numbered("+49 30 123{0}")), ColumnForm::kDigits);
  EXPECT_EQ(form_of_cells(numbered("19{1}")), ColumnForm::kDigits) << "a year is no date";
  EXPECT_EQ(form_of_cells(numbered("a b{0}|c d{1}")), ColumnForm::kElements);
  EXPECT_EQ(form_of_cells(numbered("on the theory of x{0} and y")), ColumnForm::kText);
  EXPECT_EQ(form_of_cells(numbered("Meyerx{0}")), ColumnForm::kName);
  std::vector<std::string> names = numbered("Annax{0}");
  for (std::size_t i = 0; i < names.size(); i += 3) names[i] = "A.";
  EXPECT_EQ(form_of_cells(names), ColumnForm::kInitials);
}

TEST(ColumnProfile, IdsSayNothing) {
  io::Table ids("table", {"id", "title"});
  for (int row = 0; row < 200; ++row) {
    const std::string id = fmt::format("r{}", row), title = fmt::format("the story of {}", row);
    ids.add_row(std::vector<std::string_view>{id, title}, 1);
  }
  EXPECT_EQ(profile_column(ids, 0).form, ColumnForm::kUseless);
  EXPECT_EQ(profile_column(ids, 1).form, ColumnForm::kText) << "titles may differ by a typing error";
}

TEST(ColumnProfile, NamesAreWrittenAsListsTakeThem) {
  EXPECT_EQ(profile_column(column_of({"a", "b"}, "City, State"), 0).name, "\"City, State\"");
  EXPECT_EQ(profile_column(column_of({"a", "b"}, "größe_2"), 0).name, "größe_2");
}

class ProposeMatchingTest : public ::testing::Test {
 protected:
  static MatchingProposal propose(const io::Table& table, const MatchingProposal& given = {}) {
    return propose_matching(table, {"person"}, given, Random(1));
  }
  const io::Table people_ = testing::made_up_people(2000, .1, Random(4));
};

TEST_F(ProposeMatchingTest, WhatIsProposedFindsNearlyAllThereIs) {
  DedupeJob job;
  job.options.gold = "person";
  const DedupeResult proposed = dedupe(people_, job);
  ASSERT_TRUE(proposed.proposal.has_value());
  EXPECT_THAT(proposed.json(), HasSubstr("\"proposed\":{\"compare\":\""));
  job.matching.matching = {.compare = "name:edits, surname:edits, born:edits, city:edits",
                           .block = "surname, name, born+city"};
  const DedupeResult by_hand = dedupe(people_, job);
  EXPECT_FALSE(by_hand.proposal.has_value());
  EXPECT_GT(proposed.metrics->pairs.f1(), by_hand.metrics->pairs.f1() - .02);
  job.matching.matching = {.compare = proposed.proposal->compare, .block = proposed.proposal->block};
  EXPECT_EQ(dedupe(people_, job).clusters, proposed.clusters) << "the lists that are printed do the same";
}

TEST_F(ProposeMatchingTest, UsesNoColumnThatIsLeftOut) {
  const MatchingProposal all = propose_matching(people_, {}, {}, Random(1)), without = propose(people_);
  EXPECT_THAT(all.compare, HasSubstr("person"));
  EXPECT_THAT(without.compare + without.block, Not(HasSubstr("person")));
}

TEST_F(ProposeMatchingTest, KeepsAListThatIsGiven) {
  EXPECT_EQ(propose(people_, {.compare = "name", .block = ""}).compare, "name");
  EXPECT_NE(propose(people_, {.compare = "name", .block = ""}).block, "");
  EXPECT_EQ(propose(people_, {.compare = "", .block = "born"}).block, "born");
}

TEST_F(ProposeMatchingTest, LeavesOutCopies) {
  io::Table copied("people", {"name", "surname", "born", "again"});
  for (std::size_t row = 0; row < people_.row_count(); ++row) {
    std::vector<std::string_view> cells;
    for (const char* column : {"name", "surname", "born", "surname"})
      cells.push_back(people_.cell(row, people_.column(column)));
    copied.add_row(cells, row + 2);
  }
  EXPECT_THAT(propose(copied).compare, Not(HasSubstr("again")));
}

TEST_F(ProposeMatchingTest, RefusesWhatTellsNothing) {
  EXPECT_THAT(message_of<InputError>([] { propose(column_of({"same"})); }), HasSubstr("option 'compare'"));
}

TEST(MatchingProposal, IsQuotedForAShell) {
  EXPECT_EQ((MatchingProposal{"a:words, \"b's\"", "a"}.text()),
            R"(option 'compare' 'a:words, "b'\''s"' option 'block' 'a')");
}

}  // namespace
}  // namespace fovea::linkage
