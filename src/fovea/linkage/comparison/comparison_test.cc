// SPDX-License-Identifier: Apache-2.0
#include "fovea/linkage/comparison/comparison.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <array>
#include <numeric>
#include <optional>
#include <utility>

#include "fovea/base/error.h"
#include "tests/support/expect_error.h"

namespace fovea::linkage {
namespace {

/// A table of one column.
io::Table column_of(const std::vector<std::string_view>& cells) {
  io::Table table("t.csv", {"x"});
  std::int64_t line = 1;
  for (const std::string_view cell : cells) table.add_row(std::span(&cell, 1), ++line);
  return table;
}

/// The level of two values, in the words of the kind.
std::string level(const std::string& kind, std::string_view a, std::string_view b) {
  const io::Table table = column_of({a, b, "something else entirely"});
  const Comparison comparison("x:" + kind, table);
  EXPECT_EQ(comparison.compare(0, 1), comparison.compare(1, 0)) << kind << " is not symmetric";
  return comparison.levels().at(comparison.compare(0, 1));
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
  EXPECT_EQ(level("author_name", "J. Paul", "John P."), "initial, middle names agree");
  EXPECT_EQ(level("topic", "deep sea fish", "fish of the sea"), ".3");
  EXPECT_EQ(level("topic", "deep sea fish", "mountain goats"), "none shared");
  EXPECT_EQ(level("elements", "A. Smith|B Jones", "b jones | c brown"), "one, .3");
  EXPECT_EQ(level("elements", "a smith", "smith a"), "none");
  EXPECT_EQ(level("date", "1980-05-07", "7.5.1980"), "equal");
  EXPECT_EQ(level("date", "1980-05-07", "1980-07-05"), "one digit off or swapped");
  EXPECT_EQ(level("date", "1980", "1980-07-05"), "compatible");
  EXPECT_EQ(level("number", "100", "101"), "within 2 %");
  EXPECT_EQ(level("number", "0", "-0"), "equal");
  EXPECT_EQ(level("number", "-5", "5"), "over 10 %");
  EXPECT_EQ(level("place", "48.2082,16.3738", "48.21,16.37"), "within 1 km");
}

/// A comparison of two fields of 100,000 letters takes milliseconds in every kind: the test takes a second in all.
TEST(ComparisonTest, LongTextsAreComparedInLittleTime) {
  std::string words, word(100'000, 'a');
  for (int i = 0; i < 17'000; ++i) words += fmt::format("{} ", "aabbcdab"[i % 7] + std::to_string(i % 9));
  for (std::size_t i = 0; i < word.size(); ++i) word[i] = static_cast<char>('a' + i * i % 17);
  std::string other_words = words, other_word = word;
  other_words.front() = other_word.front() = 'x';
  other_words[other_words.size() / 2] = other_word[other_word.size() / 2] = 'y';
  other_words.replace(other_words.size() - 2, 1, "zz");
  const io::Table table = column_of({words, other_words, word, other_word});
  for (const char* kind : {"exact", "jaro_winkler", "edits", "edits(20)", "given_name", "author_name", "words", "topic",
                           "elements", "date", "number", "place", "words(0.5)", "jaro_winkler(0.9)"}) {
    const Comparison comparison(fmt::format("x:{}", kind), table);
    for (int i = 0; i < 3; ++i)
      for (std::size_t a = 0; a < 4; ++a)
        for (std::size_t b = 0; b < a; ++b) EXPECT_EQ(comparison.compare(a, b), comparison.compare(b, a)) << kind;
  }
}

TEST(ComparisonTest, WhatIsMissingOrNoneOfItsKindSaysNothing) {
  for (const ComparisonKind& kind : comparison_kinds()) EXPECT_EQ(level(kind.name, "", "1980"), "missing") << kind.name;
  for (const ComparisonKind& kind : comparison_kinds()) EXPECT_EQ(level(kind.name, "?!", "?!"), "missing") << kind.name;
}

TEST(ComparisonTest, EqualValuesHaveTheHighestLevel) {
  for (const ComparisonKind& kind : comparison_kinds()) {
    const std::string_view name = kind.name;
    const std::string value = name == "place"         ? "1,2"
                              : name == "elements"    ? "1980|1981|1982"
                              : name == "author_name" ? "Ann B."
                                                      : "1980";
    EXPECT_EQ(level(kind.name, value, value), kind.levels.back()) << kind.name;
  }
}

TEST(ComparisonTest, ComparesWhatAnExpressionMakesOfTheColumn) {
  const io::Table table = column_of({"Smith, Ann", "Smith, A.", "Ann Jones"});
  const Comparison given("given(x):given_name", table);
  EXPECT_EQ(given.kind().levels.at(given.compare(0, 1)), "initial");
  EXPECT_EQ(given.kind().levels.at(given.compare(0, 2)), "equal");
  EXPECT_EQ(given.value(0), given.value(2));
}

TEST(ComparisonTest, ContextsHaveLevelsOfTheirOwn) {
  const io::Table table = column_of({"a", "b", "b", "b", "", "?"});
  const Comparison comparison("x : exact @ size(x)", table);
  EXPECT_EQ(comparison.levels().size(), 1 + 2 * context_ranges().size());
  const auto level = [&](std::size_t i, std::size_t j) { return comparison.levels().at(comparison.compare(i, j)); };
  EXPECT_EQ(level(0, 0), "equal (1)");
  EXPECT_EQ(level(1, 2), "equal (2 to 4)");
  EXPECT_EQ(level(0, 1), "different (2 to 4)");
  EXPECT_EQ(level(1, 0), "different (2 to 4)");
  EXPECT_EQ(level(1, 4), "missing");
  EXPECT_EQ(comparison.value(5), kNoId);
}

/// compare_values() one by one, in the form of compare_all().
std::vector<SparseLevels::Pair> one_by_one(const Comparison& comparison, std::span<const std::uint32_t> values,
                                           Level common) {
  std::vector<SparseLevels::Pair> pairs;
  for (std::uint32_t j = 0; j < values.size(); ++j)
    for (std::uint32_t i = 0; i < j; ++i)
      if (const Level level = comparison.compare_values(values[i], values[j]); level != common)
        pairs.push_back({i, j, level});
  return pairs;
}

RC_GTEST_PROP(ComparisonTest, ComparesAllAsOneByOne, ()) {
  const auto texts = *rc::gen::container<std::vector<std::string>>(
      rc::gen::container<std::string>(rc::gen::elementOf(std::string("aab|c  d"))));
  const io::Table table = column_of({texts.begin(), texts.end()});
  for (const char* kind : {"exact", "words", "topic", "elements"}) {
    const Comparison comparison(fmt::format("x:{}", kind), table);
    std::vector<std::uint32_t> values(comparison.value_count());
    std::iota(values.rbegin(), values.rend(), 0U);
    auto all = comparison.compare_all(values);
    RC_ASSERT(all.has_value());
    std::ranges::sort(all->others, {}, [](const auto& pair) { return std::pair(pair.second, pair.first); });
    RC_ASSERT(all->others == one_by_one(comparison, values, all->common));
  }
}

/// The pairs that alike() finds, in the order of one_by_one().
void expect_alike_as_one_by_one(const Comparison& comparison) {
  std::vector<std::uint32_t> values(comparison.value_count());
  std::iota(values.rbegin(), values.rend(), 0U);
  for (Level least = 2; least < comparison.levels().size(); ++least) {
    auto alike = comparison.alike(values, least);
    RC_ASSERT(alike.has_value());
    std::ranges::sort(*alike, {}, [](const auto& pair) { return std::pair(pair.second, pair.first); });
    std::vector<SparseLevels::Pair> expected = one_by_one(comparison, values, kMissingLevel);
    std::erase_if(expected, [&](const SparseLevels::Pair& pair) { return pair.level < least; });
    RC_ASSERT(*alike == expected);
  }
}

RC_GTEST_PROP(ComparisonTest, FindsAlikeTextsAsOneByOne, ()) {
  const auto texts = *rc::gen::container<std::vector<std::string>>(
      rc::gen::map(rc::gen::container<std::vector<std::string>>(rc::gen::elementOf(std::vector<std::string>{
                       "a", "a", "a", "b", "B", "c", "1", "2", " ", "|", "\u00e9", "\u4e2d", "\u4e3d", "q", "Q"})),
                   [](const std::vector<std::string>& letters) { return fmt::format("{}", fmt::join(letters, "")); }));
  const io::Table table = column_of({texts.begin(), texts.end()});
  for (const char* kind : {"exact", "jaro_winkler", "jaro_winkler(0.5, 0.75, 0.9)", "edits", "edits(1, 3, 5)", "words",
                           "elements", "given_name", "author_name"})
    expect_alike_as_one_by_one(Comparison(fmt::format("x:{}", kind), table));
}

RC_GTEST_PROP(ComparisonTest, FindsAlikeDatesAsOneByOne, ()) {
  const auto digit = rc::gen::elementOf(std::string("0122"));
  const auto digits =
      *rc::gen::container<std::vector<std::vector<char>>>(rc::gen::container<std::vector<char>>(8, digit));
  std::vector<std::string> texts = {"1220", "1221-02", "1222-12"};
  for (const std::vector<char>& of_date : digits) texts.emplace_back(of_date.begin(), of_date.end());
  const io::Table table = column_of({texts.begin(), texts.end()});
  for (const char* kind : {"date", "date(ymd)", "date(1m, 1y)"})
    expect_alike_as_one_by_one(Comparison(fmt::format("x:{}", kind), table));
}

TEST(ComparisonTest, FindsAlikeValuesOfOneContext) {
  const io::Table table = column_of({"ann", "anne", "bob"});
  const std::vector<std::uint32_t> values = {0, 1, 2};
  const Comparison comparison("x:edits@distinct(x, x)", table);
  ASSERT_EQ(comparison.lowest_level(values), Level{1});
  EXPECT_EQ(comparison.alike(values, 2), (std::vector<SparseLevels::Pair>{{0, 1, 3}}));
  const io::Table frequent = column_of({"a", "b", "b"});
  EXPECT_EQ(Comparison("x@size(x)", frequent).lowest_level(std::vector<std::uint32_t>{0, 1}), std::nullopt);
  EXPECT_EQ(Comparison("x@size(x)", frequent).lowest_level(std::vector<std::uint32_t>{1}), Level{5});
}

TEST(ComparisonTest, ComparesAllOnlyWhereItCan) {
  const io::Table table = column_of({"a", "b", "b"});
  const std::vector<std::uint32_t> values = {0, 1};
  EXPECT_FALSE(Comparison("x:edits", table).compare_all(values));
  EXPECT_FALSE(Comparison("x@size(x)", table).compare_all(values));
  const auto levels = Comparison("x@distinct(x, x)", table).compare_all(values);
  ASSERT_TRUE(levels);
  EXPECT_EQ(levels->common, 1);
  EXPECT_TRUE(levels->others.empty());
}

TEST(ComparisonTest, ValuesAreNumberedAndCounted) {
  const io::Table table = column_of({"b", "a", "", "b"});
  const Comparison comparison("x", table);
  EXPECT_EQ(comparison.value_count(), 2u);
  EXPECT_EQ(comparison.value(0), comparison.value(3));
  EXPECT_EQ(comparison.value(2), kNoId);
  EXPECT_EQ(comparison.count(comparison.value(0)), 2u);
}

TEST(ComparisonTest, ListsAreSeparatedByCommas) {
  io::Table table("t.csv", {"name", "born"});
  const auto comparisons = parse_comparisons("name: jaro_winkler ,born:date,name", table);
  ASSERT_EQ(comparisons.size(), 3u);
  EXPECT_EQ(comparisons[0].kind().name, "jaro_winkler");
  EXPECT_THAT(comparisons[1].columns(), ElementsAre(1));
  EXPECT_EQ(comparisons[2].kind().name, "exact");
}

TEST(ComparisonTest, RefusesWhatIsNoComparison) {
  const io::Table table("t.csv", {"name"});
  EXPECT_THAT(message_of<UsageError>([&] { parse_comparisons("name:jaro_winkle", table); }),
              HasSubstr("Did you mean 'jaro_winkler'?"));
  EXPECT_THAT(message_of<UsageError>([&] { parse_comparisons("name,,name", table); }), HasSubstr("is empty"));
  EXPECT_THAT(message_of<InputError>([&] { parse_comparisons("nme:exact", table); }),
              HasSubstr("Did you mean 'name'?"));
}

io::Table table_of(const std::vector<std::array<std::string_view, 2>>& rows) {
  io::Table table("t.csv", {"key", "value"});
  std::int64_t line = 1;
  for (const auto& row : rows) table.add_row(row, ++line);
  return table;
}

std::vector<std::string> ranges(std::string_view text, const io::Table& table) {
  std::vector<std::string> names;
  for (const std::uint8_t context : row_contexts(text, table)) names.emplace_back(context_ranges()[context]);
  return names;
}

TEST(RowContextTest, CountsTheRowsOfAKey) {
  const io::Table table = table_of({{"a", "x"}, {"b", "x"}, {"A", "y"}, {"", "x"}});
  EXPECT_THAT(ranges("size(key)", table), ElementsAre("2 to 4", "1", "2 to 4", "1"));
  EXPECT_THAT(ranges(" size ( key+value ) ", table), Each("1"));
}

TEST(RowContextTest, CountsDistinctValues) {
  const io::Table table = table_of({{"a", "x"}, {"a", "xy"}, {"a", ""}, {"b", "x"}, {"b", "x"}, {"c", "x"}});
  EXPECT_THAT(ranges("distinct(value, key)", table), ElementsAre("2 to 4", "2 to 4", "2 to 4", "1", "1", "1"));
  EXPECT_THAT(ranges("distinct(initial(value), key)", table), Each("1"));
}

TEST(RowContextTest, VarietyIsTheExponentialOfTheEntropy) {
  std::vector<std::array<std::string_view, 2>> rows(4, {"a", "x"});
  EXPECT_THAT(ranges("variety(value, key)", table_of(rows)), Each("1"));
  rows[0][1] = rows[1][1] = "y";
  EXPECT_THAT(ranges("variety(value, key)", table_of(rows)), Each("2 to 4"));  // two halves
  rows[0][1] = "x";
  EXPECT_THAT(ranges("variety(value, key)", table_of(rows)), Each("below 2"));  // a quarter: 1.75
}

TEST(RowContextTest, RefusesWhatIsNoContext) {
  const io::Table table = table_of({});
  for (const char* text : {"", "size", "size()x", "size(key, value)", "distinct(key)", "entropy(value, key)"})
    EXPECT_THAT(message_of<UsageError>([&] { row_contexts(text, table); }), HasSubstr("size(key)")) << text;
  EXPECT_THAT(message_of<InputError>([&] { row_contexts("size(kye)", table); }), HasSubstr("Did you mean 'key'?"));
}

}  // namespace
}  // namespace fovea::linkage
