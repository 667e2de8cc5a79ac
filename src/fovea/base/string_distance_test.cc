// SPDX-License-Identifier: Apache-2.0
#include "fovea/base/string_distance.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <vector>

#include "fovea/base/error.h"
#include "tests/support/any_text.h"

namespace fovea {
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

/// More distinct characters than the table of positions holds, few of which are left once both ends are trimmed.
TEST(EditDistanceTest, LargeAlphabetsWithLittleToEdit) {
  std::u32string a;
  for (char32_t c = 0; c < 2000; ++c) a += U'一' + c;
  std::u32string b = a;
  std::swap(b[1900], b[1901]);
  EXPECT_EQ(damerau(to_utf8(a), to_utf8(b)), 1u);
  EXPECT_EQ(levenshtein(to_utf8(a), to_utf8(b)), 2u);
}

/// Computes the whole table by the recurrence.
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

/// Texts that are long beside the maximum are compared in a narrow band of the table.
RC_GTEST_PROP(EditDistanceTest, LongTextsWithFewEdits, ()) {
  const auto letter = rc::gen::elementOf(std::u32string(U"ab"));
  std::u32string a(260, U'c');
  for (char32_t& c : a) c = *letter;
  a.front() = U'1', a.back() = U'2';  // little to trim
  std::u32string b = a;
  b.front() = U'3', b.back() = U'4';
  for (int edits = *rc::gen::inRange(0, 5); edits > 0; --edits) {
    const auto at = *rc::gen::inRange<std::size_t>(1, b.size() - 2);
    switch (*rc::gen::inRange(0, 4)) {
      case 0:
        b.erase(at, 1);
        break;
      case 1:
        b.insert(at, 1, *letter);
        break;
      case 2:
        b[at] = *letter;
        break;
      default:
        std::swap(b[at], b[at + 1]);
    }
  }
  const std::size_t edits = textbook_distance(a, b, false), with_swaps = textbook_distance(a, b, true);
  for (std::size_t at_most = 0; at_most < 7; ++at_most) {
    RC_ASSERT(levenshtein(to_utf8(a), to_utf8(b), at_most) == std::min(edits, at_most + 1));
    RC_ASSERT(damerau(to_utf8(a), to_utf8(b), at_most) == std::min(with_swaps, at_most + 1));
    RC_ASSERT(damerau(to_utf8(b), to_utf8(a), at_most) == std::min(with_swaps, at_most + 1));
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

namespace {

struct Published {
  const char *a, *b;
  double jaro, jaro_winkler;
};

/// Winkler 1994 ("Advanced methods for record linkage") and 2006 ("Overview of record linkage"), table of comparisons
/// of names, to three digits; without the pairs that the paper cuts to 0 because they are unlike.
constexpr Published kPublished[] = {
    {"SHACKLEFORD", "SHACKELFORD", .970, .982},
    {"DUNNINGHAM", "CUNNIGHAM", .896, .896},
    {"NICHLESON", "NICHULSON", .926, .956},
    {"JONES", "JOHNSON", .790, .832},
    {"MASSEY", "MASSIE", .889, .933},
    {"ABROMS", "ABRAMS", .889, .922},
    {"JERALDINE", "GERALDINE", .926, .926},
    {"MARHTA", "MARTHA", .944, .961},
    {"MICHELLE", "MICHAEL", .869, .921},
    {"JULIES", "JULIUS", .889, .933},
    {"TANYA", "TONYA", .867, .880},
    {"DWAYNE", "DUANE", .822, .840},
    {"SEAN", "SUSAN", .783, .805},
    {"JON", "JOHN", .917, .933},
    {"DIXON", "DICKSONX", .767, .813},
    {"JELLYFISH", "SMELLYFISH", .896, .896},
};

TEST(JaroTest, HasThePublishedValues) {
  constexpr double kRounding = 5e-4;
  for (const Published& pair : kPublished) {
    EXPECT_NEAR(jaro(pair.a, pair.b), pair.jaro, kRounding) << pair.a;
    EXPECT_NEAR(jaro_winkler(pair.a, pair.b), pair.jaro_winkler, kRounding) << pair.a;
  }
  EXPECT_NEAR(jaro("MARTHA", "MARHTA"), .9444, 5e-5);
  EXPECT_NEAR(jaro_winkler("MARTHA", "MARHTA"), .9611, 5e-5);
  EXPECT_NEAR(jaro("DWAYNE", "DUANE"), .8222, 5e-5);
  EXPECT_NEAR(jaro("JELLYFISH", "SMELLYFISH"), .8963, 5e-5);
}

TEST(JaroTest, EmptyTextsAreEqualToEachOtherAlone) {
  EXPECT_EQ(jaro("", ""), 1);
  EXPECT_EQ(jaro("", "a"), 0);
  EXPECT_EQ(jaro_winkler("", ""), 1);
  EXPECT_EQ(jaro_winkler("a", ""), 0);
  EXPECT_EQ(jaro("a", "a"), 1);
  EXPECT_EQ(jaro("a", "b"), 0);
}

TEST(JaroTest, CharactersAreCodePoints) {
  EXPECT_DOUBLE_EQ(jaro("MÄRTHA", "MÄRHTA"), jaro("MARTHA", "MARHTA"));
  EXPECT_DOUBLE_EQ(jaro_winkler("漢字か", "漢字な"), jaro_winkler("abc", "abd"));
  EXPECT_LT(jaro("\xFF", "\xFE"), 1);  // bytes that are not UTF-8 differ too
  EXPECT_EQ(jaro("\xFF", "\xFF"), 1);
}

TEST(JaroTest, ThePrefixCountsUpToFourBelowAnyThresholdToo) {
  EXPECT_DOUBLE_EQ(jaro_winkler("abcdefgh", "abcdefxy"), jaro("abcdefgh", "abcdefxy") + .4 * (1 - 10. / 12));
  const double low = jaro("axxxx", "ayyyy");
  ASSERT_LT(low, .7);
  EXPECT_DOUBLE_EQ(jaro_winkler("axxxx", "ayyyy", .25), low + .25 * (1 - low));
  EXPECT_EQ(jaro_winkler("axxxx", "ayyyy", 0), low);
  EXPECT_THROW(jaro_winkler("a", "b", .26), InternalError);
  EXPECT_THROW(jaro_winkler("a", "b", -.1), InternalError);
}

/// Computes it by the definition, with a flag for each character.
double textbook_jaro(const std::u32string& a, const std::u32string& b) {
  if (a.empty() && b.empty()) return 1;
  const int longer = static_cast<int>(std::max(a.size(), b.size())), reach = std::max(0, longer / 2 - 1);
  std::vector<bool> in_a(a.size()), in_b(b.size());
  for (int i = 0; i < static_cast<int>(a.size()); ++i)
    for (int j = std::max(0, i - reach); j <= i + reach && j < static_cast<int>(b.size()) && !in_a[i]; ++j)
      if (!in_b[j] && a[i] == b[j]) in_a[i] = in_b[j] = true;
  std::u32string common_a, common_b;
  for (std::size_t i = 0; i < a.size(); ++i)
    if (in_a[i]) common_a += a[i];
  for (std::size_t j = 0; j < b.size(); ++j)
    if (in_b[j]) common_b += b[j];
  if (common_a.empty()) return 0;
  int displaced = 0;
  for (std::size_t k = 0; k < common_a.size(); ++k) displaced += common_a[k] != common_b[k];
  const double m = static_cast<double>(common_a.size()), t = displaced / 2;
  return (m / static_cast<double>(a.size()) + m / static_cast<double>(b.size()) + (m - t) / m) / 3;
}

RC_GTEST_PROP(JaroTest, IsTheTextbooksInBothDirections, ()) {
  const auto [a, b] = testing::any_texts();
  const double expected = textbook_jaro(a, b);
  RC_ASSERT(std::abs(jaro(testing::to_utf8(a), testing::to_utf8(b)) - expected) < 1e-12);
  RC_ASSERT(std::abs(jaro(testing::to_utf8(b), testing::to_utf8(a)) - expected) < 1e-12);
}

/// One letter in common, at the first position of one text and within reach or just beyond it in the other.
TEST(JaroTest, CommonCharactersAreWithinReachForTextsOfAnyLength) {
  for (std::size_t size : {2, 3, 10, 63, 64, 65, 66, 129}) {
    const std::size_t reach = size / 2 - 1;
    for (std::size_t first : {std::size_t{0}, size - reach - 2}) {
      std::string a(size, '.'), near(size, ','), far = near;
      a[first] = near[first + reach] = far[first + reach + 1] = 'x';
      EXPECT_GT(jaro(a, near), 0) << size;
      EXPECT_EQ(jaro(a, far), 0) << size;
      EXPECT_GT(jaro(near, a), 0) << size;
      EXPECT_EQ(jaro(far, a), 0) << size;
    }
  }
}

}  // namespace

}  // namespace fovea
