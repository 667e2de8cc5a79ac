// SPDX-License-Identifier: Apache-2.0
#include "fovea/apps/coreference/comparison.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "fovea/base/error.h"
#include "tests/support/expect_error.h"

namespace fovea {
namespace {

using ::testing::HasSubstr;
using testing::message_of;

/// A table of one column.
Table column_of(const std::vector<std::string_view>& cells) {
  Table table("t.csv", {"x"});
  std::int64_t line = 1;
  for (const std::string_view cell : cells) table.add_row(std::span(&cell, 1), ++line);
  return table;
}

/// The level of two values, in the words of the kind.
std::string level(const std::string& kind, std::string_view a, std::string_view b) {
  const Table table = column_of({a, b, "something else entirely"});
  const Comparison comparison("x:" + kind, table);
  EXPECT_EQ(comparison.compare(0, 1), comparison.compare(1, 0)) << kind << " is not symmetric";
  return comparison.kind().levels.at(comparison.compare(0, 1));
}

TEST(ComparisonTest, LevelsRiseWithAgreement) {
  EXPECT_EQ(level("exact", "O'Brien", "o brien"), "equal");
  EXPECT_EQ(level("exact", "Smith", "Smyth"), "different");
  EXPECT_EQ(level("jaro_winkler", "MARTHA", "Marhta"), ".94");
  EXPECT_EQ(level("jaro_winkler", "Dixon", "Dicksonx"), ".8");
  EXPECT_EQ(level("jaro_winkler", "abc", "xyz"), "below .7");
  EXPECT_EQ(level("edits", "Jonh", "John"), "one edit");
  EXPECT_EQ(level("edits", "Johnny", "John"), "two edits");
  EXPECT_EQ(level("edits", "Johannes", "John"), "three or more");
  EXPECT_EQ(level("given_name", "J.", "John"), "initial");
  EXPECT_EQ(level("given_name", "Jane", "Fred"), "conflict");
  EXPECT_EQ(level("words", "the art of war", "war of the art"), "equal");
  EXPECT_EQ(level("words", "one two", "three four"), "below .2");
  EXPECT_EQ(level("date", "1980-05-07", "7.5.1980"), "equal");
  EXPECT_EQ(level("date", "1980-05-07", "1980-07-05"), "one digit off or swapped");
  EXPECT_EQ(level("date", "1980", "1980-07-05"), "compatible");
  EXPECT_EQ(level("number", "100", "101"), "2 %");
  EXPECT_EQ(level("number", "0", "-0"), "equal");
  EXPECT_EQ(level("number", "-5", "5"), "over 10 %");
  EXPECT_EQ(level("place", "48.2082,16.3738", "48.21,16.37"), "1 km");
}

TEST(ComparisonTest, WhatIsMissingOrNoneOfItsKindSaysNothing) {
  for (const ComparisonKind& kind : comparison_kinds()) EXPECT_EQ(level(kind.name, "", "1980"), "missing") << kind.name;
  for (const char* kind : {"exact", "jaro_winkler", "edits", "given_name", "words", "date", "number", "place"})
    EXPECT_EQ(level(kind, "?!", "?!"), "missing") << kind;
}

TEST(ComparisonTest, EqualValuesHaveTheHighestLevel) {
  for (const ComparisonKind& kind : comparison_kinds()) {
    const std::string value = std::string_view(kind.name) == "place" ? "1,2" : "1980";
    EXPECT_EQ(level(kind.name, value, value), kind.levels.back()) << kind.name;
  }
}

TEST(ComparisonTest, ValuesAreNumberedAndCounted) {
  const Table table = column_of({"b", "a", "", "b"});
  const Comparison comparison("x", table);
  EXPECT_EQ(comparison.value_count(), 2u);
  EXPECT_EQ(comparison.value(0), comparison.value(3));
  EXPECT_EQ(comparison.value(2), kNoId);
  EXPECT_EQ(comparison.count(comparison.value(0)), 2u);
}

TEST(ComparisonTest, ListsAreSeparatedByCommas) {
  Table table("t.csv", {"name", "born"});
  const auto comparisons = parse_comparisons("name: jaro_winkler ,born:date,name", table);
  ASSERT_EQ(comparisons.size(), 3u);
  EXPECT_STREQ(comparisons[0].kind().name, "jaro_winkler");
  EXPECT_EQ(comparisons[1].column(), 1u);
  EXPECT_STREQ(comparisons[2].kind().name, "exact");
}

TEST(ComparisonTest, RefusesWhatIsNoComparison) {
  const Table table("t.csv", {"name"});
  EXPECT_THAT(message_of<UsageError>([&] { parse_comparisons("name:jaro_winkle", table); }),
              HasSubstr("Did you mean 'jaro_winkler'?"));
  EXPECT_THAT(message_of<UsageError>([&] { parse_comparisons("name,,name", table); }), HasSubstr("is empty"));
  EXPECT_THAT(message_of<InputError>([&] { parse_comparisons("nme:exact", table); }),
              HasSubstr("Did you mean 'name'?"));
}

}  // namespace
}  // namespace fovea
