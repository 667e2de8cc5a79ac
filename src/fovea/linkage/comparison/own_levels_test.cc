// SPDX-License-Identifier: Apache-2.0
#include "fovea/linkage/comparison/own_levels.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "fovea/base/error.h"
#include "fovea/linkage/comparison/comparison.h"
#include "tests/support/expect_error.h"
#include "tests/support/people_table.h"

namespace fovea::linkage {
namespace {

/// The level of two values, in words.
std::string own_level(const std::string& kind, std::string_view a, std::string_view b) {
  const io::Table table = testing::table_of({"x"}, {{std::string(a)}, {std::string(b)}});
  const Comparison comparison("x:" + kind, table);
  EXPECT_EQ(comparison.compare(0, 1), comparison.compare(1, 0)) << kind << " is not symmetric";
  return comparison.levels().at(comparison.compare(0, 1));
}

TEST(OwnLevelsTest, Numbers) {
  EXPECT_EQ(own_level("number(absolute 1, 5)", "1975", "1975"), "equal");
  EXPECT_EQ(own_level("number(absolute 1, 5)", "1975", "1976"), "within 1");
  EXPECT_EQ(own_level("number(absolute 5, 1)", "1975", "1980"), "within 5") << "bounds may be in any order";
  EXPECT_EQ(own_level("number(absolute 0, 1, 5)", "1975", "2013"), "over 5");
  EXPECT_EQ(own_level("number(absolute 0.1)", "1", "1.1"), "within 0.1") << "rounding does not count";
  EXPECT_EQ(own_level("number(relative 0.02, 0.1)", "100", "98"), "within 2 %");
  EXPECT_EQ(own_level("number(relative 0.02, 0.1)", "100", "90"), "within 10 %");
  EXPECT_EQ(own_level("number(relative 0.02, 0.1)", "100", "-100"), "over 10 %");
  EXPECT_EQ(own_level("number(relative 0.02, 0.1)", "0", "0.0"), "equal");
  EXPECT_EQ(own_level("number", "1975", "2013"), "within 2 %") << "without own levels, a share of the number";
}

TEST(OwnLevelsTest, Dates) {
  const std::string kind = "date(1d, 2w, 1m, 1y)";
  EXPECT_EQ(own_level(kind, "1980-07-05", "5.7.1980"), "equal");
  EXPECT_EQ(own_level(kind, "1980-02-28", "1980-02-29"), "within 1 day");
  EXPECT_EQ(own_level(kind, "1979-12-25", "1980-01-08"), "within 2 weeks");
  EXPECT_EQ(own_level(kind, "1980-01-31", "1980-02-29"), "within 1 month") << "the last day of a short month";
  EXPECT_EQ(own_level(kind, "1980-01-31", "1980-03-01"), "within 1 year");
  EXPECT_EQ(own_level(kind, "1980-01-01", "1981-01-01"), "within 1 year") << "366 days";
  EXPECT_EQ(own_level(kind, "1980-01-01", "1981-01-02"), "over 1 year");
  EXPECT_EQ(own_level(kind, "1980", "1980-07-05"), "within 1 day") << "the nearest day of 1980";
  EXPECT_EQ(own_level(kind, "1980", "1981-01-10"), "within 2 weeks");
  EXPECT_EQ(own_level(kind, "1980", "1980"), "equal");
  EXPECT_EQ(own_level("date(0d, 1d)", "1980", "1980"), "equal");
  EXPECT_EQ(own_level("date(mdy)", "07/05/1980", "05/07/1980"), "one digit off or swapped");
  EXPECT_EQ(own_level("date(1d, mdy)", "07/05/80", "07/06/80"), "within 1 day");
  EXPECT_EQ(own_level("date(\"%b %d, %Y\", 1d)", "Jul 5, 1980", "Jul 6, 1980"), "within 1 day");
  EXPECT_EQ(own_level("date(9999y)", "0001", "9999"), "within 9999 years");
}

TEST(OwnLevelsTest, Texts) {
  EXPECT_EQ(own_level("jaro_winkler(0.85, 0.95)", "MARTHA", "Marhta"), "0.95 or more");
  EXPECT_EQ(own_level("jaro_winkler(0.95, 0.85)", "Dixon", "Dicksonx"), "below 0.85");
  EXPECT_EQ(own_level("jaro_winkler(0.95, 0.85)", "Dixon", "dixon"), "equal");
  EXPECT_EQ(own_level("edits(1, 3)", "Jonh", "John"), "within 1 edit");
  EXPECT_EQ(own_level("edits(1, 3)", "Johnny", "John"), "within 3 edits");
  EXPECT_EQ(own_level("edits(1, 3)", "Johannes", "John"), "over 3 edits");
  EXPECT_EQ(own_level("edits(1, 3)", "john", "John"), "equal");
  EXPECT_EQ(own_level("words(0.5)", "the art of war", "war of the art"), "equal");
  EXPECT_EQ(own_level("words(0.5)", "the art of war", "the art of peace"), "0.5 or more");
  EXPECT_EQ(own_level("words(0.5)", "the art of war", "peace"), "below 0.5");
  EXPECT_EQ(own_level("place(0.1, 5)", "48.2082,16.3738", "48.21,16.37"), "within 5 km");
}

TEST(OwnLevelsTest, ListsThatMakeNoLevelsAreRefused) {
  const auto refusal = [](const char* kind) { return message_of<UsageError>([&] { own_level(kind, "1", "2"); }); };
  testing::expect_messages(refusal, {{"number(1)", "'number(1)': begin with the word absolute or relative"},
                                     {"number()", "begin with the word"},
                                     {"number(absolute)", "the bound '' is not a number from 0"},
                                     {"number(absolute 0)", "a bound above 0 is missing"},
                                     {"number(absolute -1)", "the bound '-1' is not a number from 0"},
                                     {"number(absolute nan)", "the bound 'nan'"},
                                     {"number(relative 1, 1)", "a bound comes twice"},
                                     {"number(relative 3)", "from 0 to 2"},
                                     {"jaro_winkler(1)", "the bound '1' is not a number from 0.01 to 0.999"},
                                     {"edits(0)", "from 1 to 20"},
                                     {"edits(1.5)", "'1.5' is not a whole number"},
                                     {"words(0)", "from 0.01 to 0.99"},
                                     {"place(0)", "from 0.001 to 20000"},
                                     {"date(1)", "'1' is neither a span such as 1d"},
                                     {"date(1q)", "'1q' is neither a span"},
                                     {"date(-1d)", "'-1d' is neither a span"},
                                     {"date(1d, 1d)", "a bound comes twice"},
                                     {"date(mdy, dmy)", "there are two date formats, 'mdy' and 'dmy'"},
                                     {"date(%q)", "'%q' is not known"},
                                     {"exact(1)", "exact takes nothing in parentheses"},
                                     {"edits(1", "a ')' is missing"},
                                     {"edit(1)", "Did you mean 'edits'?"}});
}

}  // namespace
}  // namespace fovea::linkage
