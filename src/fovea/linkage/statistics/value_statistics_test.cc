// SPDX-License-Identifier: Apache-2.0
#include "fovea/linkage/statistics/value_statistics.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/expect_error.h"

namespace fovea::linkage {
namespace {

TextList three_texts() {
  TextList texts;
  texts.add(30, 2, std::vector<std::uint64_t>{7, 5, 7});
  texts.add(10, 1, std::vector<std::uint64_t>{7});
  texts.add(20, 4);
  return texts;
}

TEST(ValueStatisticsTest, CountRowsOfTextsAndTextsOfTokens) {
  const ValueStatistics counted = count_texts(three_texts(), true, 1);
  EXPECT_THAT(counted.text_rows.hashes, ElementsAre(10, 20, 30));
  EXPECT_THAT(counted.text_rows.counts, ElementsAre(1, 4, 2));
  EXPECT_THAT(counted.token_texts.hashes, ElementsAre(5, 7));
  EXPECT_THAT(counted.token_texts.counts, ElementsAre(1, 2)) << "a text counts once, however often it has the token";
  EXPECT_THAT(counted.tokens, ElementsAre(1, 0, 1));
  EXPECT_THAT(counted.begin, ElementsAre(0, 1, 1, 3));
  EXPECT_EQ(counted.texts, 3u);
  EXPECT_EQ(counted.values, 2u) << "a text without tokens does not count as a value";
  EXPECT_EQ(counted.rows, 3u);
  EXPECT_EQ(counted.token_texts.count(6), 1u) << "never seen";
}

TEST(ValueStatisticsTest, FrequentTokensDoNotCount) {
  TextList texts;
  for (std::uint64_t i = 0; i < 100; ++i) texts.add(i, 1, std::vector<std::uint64_t>{1000, 2000 + i / 3});
  texts.add(100, 5, std::vector<std::uint64_t>{1000});
  const ValueStatistics counted = count_texts(texts, true, .03);
  EXPECT_DOUBLE_EQ(counted.most_texts(), 3.03);
  EXPECT_EQ(counted.values, 100u) << "a text of frequent tokens alone does not count as a value";
  EXPECT_EQ(counted.rows, 100u);
}

TEST(ValueStatisticsTest, TextsOfTwoTablesAreCountedOnce) {
  TextList first = three_texts(), second, both = three_texts();
  second.add(40, 1, std::vector<std::uint64_t>{5, 9});
  second.add(30, 3, std::vector<std::uint64_t>{5, 7});
  both.add(40, 1, std::vector<std::uint64_t>{5, 9});
  both.rows[0] += 3;
  const ValueStatistics a = count_texts(first, true, 1), b = count_texts(second, true, 1),
                        whole = count_texts(both, true, 1);
  for (const ValueStatistics& sum : {merged(a, b), merged(b, a)}) {
    EXPECT_EQ(sum.text_rows.hashes, whole.text_rows.hashes);
    EXPECT_EQ(sum.text_rows.counts, whole.text_rows.counts);
    EXPECT_THAT(sum.token_texts.counts, ElementsAre(2, 2, 1)) << "text 30 is in both tables";
    EXPECT_EQ(sum.tokens, whole.tokens);
    EXPECT_EQ(sum.begin, whole.begin);
    EXPECT_EQ(sum.rows, whole.rows);
  }
}

TEST(ValueStatisticsTest, ReducedOnesKeepWhatScoresCanTellApart) {
  const ValueStatistics whole = count_texts(three_texts(), true, 1), small = whole.reduced();
  EXPECT_THAT(small.text_rows.hashes, ElementsAre(20, 30));
  EXPECT_THAT(small.token_texts.hashes, ElementsAre(7));
  EXPECT_THAT(small.tokens, IsEmpty());
  for (const std::uint64_t hash : {10, 20, 30, 99}) EXPECT_EQ(small.text_rows.count(hash), whole.text_rows.count(hash));
  EXPECT_EQ(small.rows, whole.rows);
  EXPECT_EQ(small.reduced().fingerprint(), small.fingerprint());
  EXPECT_NE(small.fingerprint(), whole.fingerprint());
}

}  // namespace
}  // namespace fovea::linkage
