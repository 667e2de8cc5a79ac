// SPDX-License-Identifier: Apache-2.0
#include "fovea/linkage/comparison/collect_statistics.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "fovea/base/error.h"
#include "fovea/base/random.h"
#include "fovea/linkage/comparison/comparison.h"
#include "tests/support/expect_error.h"
#include "tests/support/people_table.h"

namespace fovea::linkage {
namespace {

constexpr const char* kEveryKind =
    "name, name:jaro_winkler, title:words, title:topic, authors:elements, name:edits@size(name), "
    "name@variety(title, name), name:exact@distinct(title, initial(name)), year:number, year:date";

/// Papers whose titles and authors are drawn from a few words, some of them frequent: many cosines lie just at a bound
/// of levels, where the order in which they are summed up matters.
std::vector<std::vector<std::string>> made_up_papers(std::size_t count) {
  Random random(5);
  const auto word = [&](std::uint32_t words) {
    const std::uint32_t number = random.uniform_index(words);
    return fmt::format("w{}", random.bernoulli(.3) ? number % 7 : number);
  };
  std::vector<std::vector<std::string>> rows;
  for (std::size_t i = 0; i < count; ++i) {
    std::string title, authors;
    for (std::uint32_t w = random.uniform_index(9); w > 0; --w) title += word(400) + " ";
    for (std::uint32_t a = random.uniform_index(6); a > 0; --a) authors += word(150) + "|";
    const std::string year = random.bernoulli(.1) ? "unknown" : std::to_string(1990 + random.uniform_index(20));
    rows.push_back({word(40), title, authors, year});
  }
  return rows;
}

io::Table paper_table(const std::vector<std::vector<std::string>>& rows) {
  return testing::table_of({"name", "title", "authors", "year"}, rows);
}

std::string statistics_bytes(const MatchStatistics& statistics) {
  std::string bytes;
  statistics.save(ContainerTarget::memory(bytes));
  return bytes;
}

TEST(CollectStatisticsTest, TwoHalvesAddUpToTheWholeByteForByte) {
  const auto rows = made_up_papers(600);
  std::vector<std::vector<std::string>> odd, even;
  for (std::size_t i = 0; i < rows.size(); ++i) (i % 2 == 0 ? even : odd).push_back(rows[i]);
  const std::string whole = statistics_bytes(collect_statistics(kEveryKind, paper_table(rows)));
  const MatchStatistics first = collect_statistics(kEveryKind, paper_table(even)),
                        second = collect_statistics(kEveryKind, paper_table(odd));
  MatchStatistics sum = first;
  sum.merge(second);
  EXPECT_TRUE(statistics_bytes(sum) == whole);
  sum = second;
  sum.merge(first);
  EXPECT_TRUE(statistics_bytes(sum) == whole);
  EXPECT_TRUE(statistics_bytes(second) != whole);
}

/// Expects that rows i of `part`, which are the rows of_whole[i] of `whole`, are compared as there.
void expect_compared_alike(const std::vector<Comparison>& whole, const std::vector<Comparison>& part,
                           const std::vector<std::size_t>& of_whole) {
  for (std::size_t c = 0; c < whole.size(); ++c) {
    EXPECT_EQ(part[c].totals().rows, whole[c].totals().rows);
    EXPECT_EQ(part[c].totals().values, whole[c].totals().values);
    for (std::size_t i = 0; i < of_whole.size(); ++i) {
      const std::uint32_t value = part[c].value(i), in_whole = whole[c].value(of_whole[i]);
      ASSERT_EQ(value == kNoId, in_whole == kNoId) << whole[c].text();
      if (value != kNoId) {
        ASSERT_EQ(part[c].count(value), whole[c].count(in_whole)) << whole[c].text();
      }
      for (std::size_t j = 0; j < i; ++j)
        ASSERT_EQ(part[c].compare(i, j), whole[c].compare(of_whole[i], of_whole[j])) << whole[c].text();
    }
  }
}

TEST(CollectStatisticsTest, APartIsComparedAsTheWhole) {
  const auto rows = made_up_papers(600);
  const io::Table table = paper_table(rows);
  const MatchStatistics statistics = collect_statistics(kEveryKind, table);
  const auto whole = parse_comparisons(kEveryKind, table, &statistics);
  std::vector<std::vector<std::string>> some;
  std::vector<std::size_t> of_whole;
  for (std::size_t row = rows.size(); row-- > 0;) {  // in another order
    if (row % 3 == 1) continue;
    some.push_back(rows[row]);
    of_whole.push_back(row);
  }
  const io::Table part = paper_table(some);
  expect_compared_alike(whole, parse_comparisons(kEveryKind, part, &statistics), of_whole);
}

TEST(CollectStatisticsTest, TheOrderOfRowsDoesNotMatterAtABound) {
  // The first two titles share half of their weight: their cosine is .5, a bound, up to rounding.
  Random random(3);
  for (int others = 110; others < 300; others += 3) {
    std::vector<std::vector<std::string>> rows = {{"x y p q"}, {"x y r s"}};
    for (const char* title : {"y", "p", "q", "q !", "r", "s", "s !"}) rows.push_back({title});
    for (int i = 0; i < others; ++i) rows.push_back({fmt::format("n{}", i)});
    const io::Table table = testing::table_of({"title"}, rows);
    const MatchStatistics statistics = collect_statistics("title:topic", table);
    const Level level = parse_comparisons("title:topic", table, &statistics).front().compare(0, 1);
    for (int i = 0; i < 5; ++i) {
      shuffle(std::span(rows), random);
      const auto place_of = [&](const char* title) {
        return static_cast<std::size_t>(std::ranges::find(rows, std::vector<std::string>{title}) - rows.begin());
      };
      const auto shuffled = parse_comparisons("title:topic", testing::table_of({"title"}, rows), &statistics);
      ASSERT_EQ(shuffled.front().compare(place_of("x y p q"), place_of("x y r s")), level) << others;
    }
  }
}

TEST(CollectStatisticsTest, TheWholeIsComparedAsWithout) {
  const auto rows = made_up_papers(400);
  const io::Table table = paper_table(rows);
  const MatchStatistics statistics = collect_statistics(kEveryKind, table);
  const auto with = parse_comparisons(kEveryKind, table, &statistics), without = parse_comparisons(kEveryKind, table);
  for (std::size_t c = 0; c < with.size(); ++c) {
    EXPECT_EQ(with[c].totals().rows, without[c].totals().rows) << with[c].text();
    for (std::size_t row = 0; row < rows.size(); ++row)
      ASSERT_EQ(with[c].value(row), without[c].value(row)) << with[c].text();
    EXPECT_NE(with[c].fingerprint(), without[c].fingerprint());
  }
  for (const std::size_t c : {0, 1, 8, 9}) EXPECT_EQ(with[c].counts(), without[c].counts()) << with[c].text();
}

TEST(CollectStatisticsTest, NamesOfAnotherTableAreCountedThere) {
  const io::Table known = testing::table_of({"name"}, {{"Smith"}, {"Smith"}, {"Ng"}, {"Ng"}, {"Li"}});
  const MatchStatistics statistics = collect_statistics("name@size(name)", known);
  const io::Table other =
      testing::table_of({"name"}, {{"Smith"}, {"Ng"}, {"Ng"}, {"Ng"}, {"Ng"}, {"Wu"}, {"Wu"}, {""}});
  const auto contexts = row_contexts("size(name)", other, &statistics.reduced().of_context("size(name)"));
  std::vector<std::string> names;
  for (const std::uint8_t context : contexts) names.emplace_back(context_ranges()[context]);
  EXPECT_THAT(names,
              ::testing::ElementsAre("2 to 4", "4 to 10", "4 to 10", "4 to 10", "4 to 10", "2 to 4", "2 to 4", "1"));
  const Comparison comparison = std::move(parse_comparisons("name@size(name)", other, &statistics).front());
  EXPECT_EQ(comparison.count(comparison.value(0)), 2u);
  EXPECT_EQ(comparison.count(comparison.value(5)), 1u) << "a value never seen is as rare as one seen once";
  EXPECT_EQ(comparison.totals().rows, 5);
}

TEST(CollectStatisticsTest, StatisticsOfOtherComparisonsAreRefused) {
  const io::Table table = paper_table(made_up_papers(3));
  const MatchStatistics statistics = collect_statistics("name:edits", table);
  EXPECT_EQ(parse_comparisons(" name : edits ", table, &statistics).size(), 1u) << "however it is spelled";
  EXPECT_THAT(message_of<InputError>([&] { parse_comparisons("name", table, &statistics); }),
              HasSubstr("know nothing of 'name:exact', only of name:edits"));
  EXPECT_THAT(message_of<InputError>([&] { parse_comparisons("name:edits@size(name)", table, &statistics); }),
              HasSubstr("know nothing of 'size(name)'"));
}

}  // namespace
}  // namespace fovea::linkage
