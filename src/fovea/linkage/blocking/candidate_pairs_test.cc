// SPDX-License-Identifier: Apache-2.0
#include "fovea/linkage/blocking/candidate_pairs.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <set>

#include "tests/support/people_table.h"
#include "tests/support/statistics.h"

namespace fovea::linkage {
namespace {

using PairSet = std::set<std::pair<std::uint32_t, std::uint32_t>>;

const io::Table& people() {
  static const io::Table table = testing::made_up_people(60, .2, Random(7));
  return table;
}

PairSet found(const CandidatePairs& candidates, bool first_only) {
  PairSet pairs;
  for (const CandidatePairs::Chunk& chunk : candidates.chunks())
    candidates.for_each(chunk, [&](RowPair pair, bool is_first) {
      EXPECT_LT(pair.first, pair.second);
      if (first_only && !is_first) return;
      const bool is_new = pairs.emplace(pair.first, pair.second).second;
      EXPECT_TRUE(is_new || !first_only) << pair.first << ' ' << pair.second;
    });
  return pairs;
}

PairSet brute_force(const io::Table& table, std::span<const BlockingRule> rules, const PairScope& scope) {
  PairSet pairs;
  scope.for_each(static_cast<std::uint32_t>(table.row_count()), [&](RowPair pair) {
    for (const BlockingRule& rule : rules)
      if (rule.key(table, pair.first) == rule.key(table, pair.second)) pairs.emplace(pair.first, pair.second);
  });
  return pairs;
}

/// A kind of scope, and in how many tables the rows are.
struct ScopeCase {
  PairScope::Kind kind;
  std::size_t tables;

  /// The scope where each table but the last has `rows` rows.
  PairScope scope(std::uint32_t rows) const {
    PairScope scope{kind, {}};
    for (std::uint32_t table = 1; table < tables; ++table) scope.boundaries.push_back(table * rows);
    return scope;
  }
};

class CandidatePairsTest : public ::testing::TestWithParam<ScopeCase> {};

TEST_P(CandidatePairsTest, AreThoseThatARuleBringsTogetherEachOnce) {
  const PairScope scope = GetParam().scope(23);
  const auto rules = parse_blocking_rules("city, initial(surname)+initial(name), born", people());
  const CandidatePairs candidates(people(), rules, 1000, scope);
  const PairSet expected = brute_force(people(), rules, scope);
  EXPECT_GT(expected.size(), 40u);
  EXPECT_EQ(found(candidates, true), expected);
  EXPECT_EQ(found(candidates, false), expected);
}

TEST_P(CandidatePairsTest, AreCountedByRule) {
  const PairScope scope = GetParam().scope(23);
  const auto rules = parse_blocking_rules("city, born", people());
  const CandidatePairs candidates(people(), rules, 1000, scope);
  for (const std::size_t r : {0, 1})
    EXPECT_EQ(candidates.pair_count(r), brute_force(people(), std::span(rules).subspan(r, 1), scope).size());
}

/// Words of the titles, by a rule of its own and next to one that brings some of the pairs together, too.
TEST_P(CandidatePairsTest, PairsWithSeveralWordsInCommonAreThereOnce) {
  io::Table table("titles", {"id", "title", "year"});
  Random random(9);
  std::vector<std::set<std::string>> words(60);
  for (std::size_t row = 0; row < words.size(); ++row) {
    std::string title = "the";  // all have it
    for (int w = 0; w < 4; ++w) {
      const std::string word(1, static_cast<char>('a' + random.uniform_index(20)));
      words[row].insert(word);
      title += " " + word;
    }
    const std::string id = std::to_string(row), year = std::to_string(row % 3);
    table.add_row(std::vector<std::string_view>{id, title, year}, static_cast<std::int64_t>(row + 1));
  }
  const PairScope scope = GetParam().scope(23);
  const auto share_word = [&](RowPair pair) {
    return std::ranges::any_of(words[pair.first],
                               [&](const std::string& word) { return words[pair.second].contains(word); });
  };
  PairSet with_word, with_year;
  scope.for_each(60, [&](RowPair pair) {
    if (share_word(pair)) with_word.emplace(pair.first, pair.second);
    if (pair.first % 3 == pair.second % 3) with_year.emplace(pair.first, pair.second);
  });
  const auto rules = parse_blocking_rules("year, any(word, title, 40)", table);
  const CandidatePairs candidates(table, rules, 1000, scope);
  PairSet all = with_word;
  all.insert(with_year.begin(), with_year.end());
  EXPECT_EQ(found(candidates, true), all);
  ASSERT_EQ(candidates.oversized(1).size(), 1u);
  EXPECT_EQ(candidates.oversized(1).front().key, "the");
  std::map<std::pair<std::uint32_t, std::uint32_t>, int> visits;  // of the second rule
  for (const CandidatePairs::Chunk& chunk : candidates.chunks())
    if (chunk.rule == 1)
      candidates.for_each(chunk, [&](RowPair pair, bool is_first) {
        ++visits[{pair.first, pair.second}];
        EXPECT_EQ(is_first, pair.first % 3 != pair.second % 3);
      });
  EXPECT_EQ(visits.size(), with_word.size());
  for (const auto& [pair, count] : visits) EXPECT_EQ(count, 1);
  EXPECT_FALSE(candidates.is_partition(1));
  scope.for_each(60, [&](RowPair pair) { EXPECT_EQ(candidates.is_of_rule(pair, 1), share_word(pair)); });
}

TEST_P(CandidatePairsTest, ScopesDrawTheirPairsEvenly) {
  const PairScope scope = GetParam().scope(2);
  constexpr std::uint32_t kRows = 6;
  std::map<std::pair<std::uint32_t, std::uint32_t>, int> counts;
  scope.for_each(kRows, [&](RowPair pair) { counts[{pair.first, pair.second}] = 0; });
  EXPECT_EQ(counts.size(), scope.pair_count(kRows));
  Random random(3);
  constexpr int kDraws = 30000;
  for (int i = 0; i < kDraws; ++i) {
    const RowPair pair = scope.draw(kRows, random);
    ASSERT_TRUE(counts.contains({pair.first, pair.second}));
    ++counts[{pair.first, pair.second}];
  }
  // Six standard deviations: once in 10^8 such tests.
  const double mean = kDraws / static_cast<double>(counts.size());
  for (const auto& [pair, count] : counts) EXPECT_NEAR(count, mean, 6 * std::sqrt(mean));
}

INSTANTIATE_TEST_SUITE_P(Scopes, CandidatePairsTest,
                         ::testing::Values(ScopeCase{PairScope::Kind::kAll, 1}, ScopeCase{PairScope::Kind::kAcross, 2},
                                           ScopeCase{PairScope::Kind::kAcross, 3},
                                           ScopeCase{PairScope::Kind::kNew, 2}));

TEST(CandidatePairs, LargeBlocksAreLeftOutAndTold) {
  const io::Table table =
      testing::table_of({"city", "name"}, {{"Bonn", "A"}, {"bonn", "A"}, {"Bonn", "B"}, {"Ulm", "B"}});
  const auto rules = parse_blocking_rules("city, name, city+name", table);
  const CandidatePairs candidates(table, rules, 2);
  EXPECT_EQ(found(candidates, true), (PairSet{{0, 1}, {2, 3}}));
  ASSERT_EQ(candidates.oversized(0).size(), 1u);
  EXPECT_EQ(candidates.oversized(0).front().key, "bonn");
  EXPECT_EQ(candidates.oversized(0).front().rows, 3u);
  EXPECT_TRUE(candidates.oversized(1).empty());
}

/// The number of pairs that are drawn is binomial: six standard deviations, once in 10^8 such tests.
TEST(CandidatePairs, AreDrawnEvenly) {
  const io::Table table = testing::table_of({"key"}, std::vector<std::vector<std::string>>(300, {"same"}));
  const CandidatePairs candidates(table, parse_blocking_rules("key", table), 1000);
  for (const double share : {.001, .3, .97}) {
    PairSet pairs;
    double last_rows = 0;
    for (const CandidatePairs::Chunk& chunk : candidates.chunks())
      candidates.for_each_drawn(chunk, share, Random(4).child("chunk", chunk.begin), [&](RowPair pair, bool is_first) {
        EXPECT_TRUE(is_first);
        EXPECT_TRUE(pairs.emplace(pair.first, pair.second).second);
        last_rows += pair.second >= 150;
      });
    const double all = 300 * 299 / 2., late = all - 150 * 149 / 2.;
    EXPECT_NEAR(static_cast<double>(pairs.size()), share * all, 6 * std::sqrt(all * share * (1 - share)));
    EXPECT_NEAR(last_rows, share * late, 6 * std::sqrt(late * share * (1 - share)));
  }
}

TEST(CandidatePairs, ChunksShareTheWorkOfALargeBlock) {
  std::vector<std::vector<std::string>> rows(1000, {"same"});
  const io::Table table = testing::table_of({"key"}, rows);
  const CandidatePairs candidates(table, parse_blocking_rules("key", table), 1000);
  const auto chunks = candidates.chunks();
  EXPECT_GT(chunks.size(), 5u);
  EXPECT_EQ(found(candidates, true).size(), 1000u * 999 / 2);
}

}  // namespace
}  // namespace fovea::linkage
