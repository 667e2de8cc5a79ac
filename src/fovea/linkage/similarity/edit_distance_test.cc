// SPDX-License-Identifier: Apache-2.0
#include "fovea/linkage/similarity/edit_distance.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <vector>

#include "tests/support/any_text.h"

namespace fovea::linkage {
namespace {

using testing::to_utf8;

TEST(EditDistanceTest, CountsEdits) {
  EXPECT_EQ(levenshtein("kitten", "sitting"), 3u);
  EXPECT_EQ(levenshtein("saturday", "sunday"), 3u);
  EXPECT_EQ(levenshtein("", ""), 0u);
  EXPECT_EQ(levenshtein("", "abc"), 3u);
  EXPECT_EQ(levenshtein("abc", "abc"), 0u);
  EXPECT_EQ(levenshtein("ab", "ba"), 2u);
}

TEST(EditDistanceTest, DamerauCountsASwapAsOneAndEditsNoCharacterTwice) {
  EXPECT_EQ(damerau("ab", "ba"), 1u);
  EXPECT_EQ(damerau("martha", "marhta"), 1u);
  EXPECT_EQ(damerau("ca", "abc"), 3u);
  EXPECT_EQ(damerau("a cat", "an abct"), 4u);
}

TEST(EditDistanceTest, CharactersAreCodePoints) {
  EXPECT_EQ(levenshtein("naïve", "naive"), 1u);
  EXPECT_EQ(levenshtein("漢字", "感字"), 1u);
  EXPECT_EQ(damerau("жд", "дж"), 1u);
  EXPECT_EQ(levenshtein("a\xFF", "a\xFE"), 1u);  // bytes that are not UTF-8 differ too
}

TEST(EditDistanceTest, SimilarityIsOfTheLongerLength) {
  EXPECT_EQ(edit_similarity("", ""), 1);
  EXPECT_EQ(edit_similarity("", "a"), 0);
  EXPECT_DOUBLE_EQ(edit_similarity("kitten", "sitting"), 1 - 3. / 7);
  EXPECT_DOUBLE_EQ(edit_similarity("é", "éa"), .5);
}

/// More distinct characters than the table of positions holds, few of which are left once both ends are trimmed.
TEST(EditDistanceTest, LargeAlphabetsWithLittleToEdit) {
  std::u32string a;
  for (char32_t c = 0; c < 2000; ++c) a += U'一' + c;
  std::u32string b = a;
  std::swap(b[1900], b[1901]);
  EXPECT_EQ(damerau(to_utf8(a), to_utf8(b)), 1u);
  EXPECT_EQ(levenshtein(to_utf8(a), to_utf8(b)), 2u);
}

/// By the recurrence, the whole table.
std::size_t textbook_distance(const std::u32string& a, const std::u32string& b, bool with_swaps) {
  std::vector<std::vector<std::size_t>> cost(a.size() + 1, std::vector<std::size_t>(b.size() + 1));
  for (std::size_t i = 0; i <= a.size(); ++i) {
    for (std::size_t j = 0; j <= b.size(); ++j) {
      cost[i][j] = i + j;
      if (i == 0 || j == 0) continue;
      cost[i][j] = std::min({cost[i - 1][j] + 1, cost[i][j - 1] + 1, cost[i - 1][j - 1] + (a[i - 1] != b[j - 1])});
      if (with_swaps && i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        cost[i][j] = std::min(cost[i][j], cost[i - 2][j - 2] + 1);
    }
  }
  return cost[a.size()][b.size()];
}

RC_GTEST_PROP(EditDistanceTest, IsTheTextbooksInBothDirections, ()) {
  const auto [a, b] = testing::any_texts();
  const std::size_t edits = textbook_distance(a, b, false), with_swaps = textbook_distance(a, b, true);
  RC_ASSERT(levenshtein(to_utf8(a), to_utf8(b)) == edits);
  RC_ASSERT(levenshtein(to_utf8(b), to_utf8(a)) == edits);
  RC_ASSERT(damerau(to_utf8(a), to_utf8(b)) == with_swaps);
  RC_ASSERT(damerau(to_utf8(b), to_utf8(a)) == with_swaps);
}

RC_GTEST_PROP(EditDistanceTest, AMaximumCutsTheDistance, ()) {
  const auto [a, b] = testing::any_texts();
  const std::size_t edits = textbook_distance(a, b, false), with_swaps = textbook_distance(a, b, true);
  for (std::size_t at_most : {std::size_t{0}, std::size_t{1}, std::size_t{2}, edits, edits - (edits > 0), edits + 1}) {
    RC_ASSERT(levenshtein(to_utf8(a), to_utf8(b), at_most) == std::min(edits, at_most + 1));
    RC_ASSERT(damerau(to_utf8(a), to_utf8(b), at_most) == std::min(with_swaps, at_most + 1));
  }
}

/// A swap of the 64th and the 65th character crosses from one block of the table to the next.
TEST(EditDistanceTest, SwapsAcrossBlocks) {
  for (std::size_t at = 60; at < 132; ++at) {
    std::u32string a(140, U'x'), b(140, U'x');
    a.front() = U'1', b.front() = U'2', a.back() = U'3', b.back() = U'4';  // nothing to trim
    a[at] = b[at + 1] = U'a';
    a[at + 1] = b[at] = U'b';
    EXPECT_EQ(damerau(to_utf8(a), to_utf8(b)), 3u) << at;
    EXPECT_EQ(levenshtein(to_utf8(a), to_utf8(b)), 4u) << at;
  }
}

}  // namespace
}  // namespace fovea::linkage
