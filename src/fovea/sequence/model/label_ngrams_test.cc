// SPDX-License-Identifier: Apache-2.0
#include "fovea/sequence/model/label_ngrams.h"

#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <set>

#include "fovea/base/error.h"
#include "fovea/base/log_math.h"
#include "tests/support/expect_error.h"
#include "tests/support/random_sequences.h"

namespace fovea::sequence {
namespace {

/// Label strings and their total scores, looked up one by one.
class NgramMap {
 public:
  explicit NgramMap(std::span<const LabelNgram> ngrams) {
    for (const LabelNgram& g : ngrams)
      scores_[Assignment(g.labels.begin(), g.labels.begin() + g.size)] += double{g.score};
  }

  /// The sum over the n-grams that end at the window's last label and reach back to `slot` or further.
  double covering(const Assignment& window, int slot) const {
    double sum = 0;
    for (auto first = window.begin(); first <= window.begin() + slot && first + 1 < window.end(); ++first) {
      const auto found = scores_.find(Assignment(first, window.end()));
      if (found != scores_.end()) sum += found->second;
    }
    return sum;
  }

 private:
  std::map<Assignment, double> scores_;
};

/// Calls visit(window) for all strings of `size` labels, the pad (number `pad`) included.
template <class Visit>
void for_each_window(int size, Value pad, const Visit& visit) {
  Assignment window(static_cast<std::size_t>(size), 0);
  while (true) {
    visit(window);
    std::size_t j = window.size();
    while (j > 0 && window[j - 1] == pad) window[--j] = 0;
    if (j == 0) return;
    ++window[j - 1];
  }
}

void expect_score(double actual, double expected) {
  if (std::isinf(expected)) EXPECT_EQ(actual, expected);
  else EXPECT_NEAR(actual, expected, 1e-5);
}

std::vector<LabelNgram> some_ngrams(int labels, int factor_size, std::uint32_t seed) {
  std::mt19937 engine(seed);
  auto ngrams = testing::random_ngrams(
      {.label_count = labels, .factor_size = factor_size, .ngram_density = .4, .forbidden = .1}, engine);
  if (!ngrams.empty()) ngrams.push_back(ngrams.front());  // a repeated n-gram adds up
  return ngrams;
}

TEST(LabelNgramsTest, RowsAndWindowsVsAMapOfLabelStrings) {
  for (int q = 1; q <= 5; ++q) {
    SCOPED_TRACE(q);
    const int labels = q <= 3 ? 4 : 2;
    const std::vector<LabelNgram> ngrams = some_ngrams(labels, q, static_cast<std::uint32_t>(q));
    const LabelNgrams compiled(labels, q, ngrams);
    const NgramMap map(ngrams);
    for_each_window(q, compiled.pad(), [&](const Assignment& window) {
      expect_score(double{compiled.window_score(window.data())}, map.covering(window, q - 1));
      for (int slot = 0; slot < q; ++slot)
        if (window[static_cast<std::size_t>(slot)] != compiled.pad())
          expect_score(double{compiled.row(slot, compiled.context(slot, window.data()))[window[slot]]},
                       map.covering(window, slot));
    });
  }
}

TEST(LabelNgramsTest, ContextsNumberTheOtherLabelsLeftmostMostSignificant) {
  const LabelNgrams ngrams(3, 4);  // base 4: three labels and the pad
  const Assignment window = {1, 2, 3, 0};
  EXPECT_EQ(ngrams.context(0, window.data()), 2u * 16 + 3 * 4 + 0);
  EXPECT_EQ(ngrams.context(1, window.data()), 1u * 16 + 3 * 4 + 0);
  EXPECT_EQ(ngrams.context(3, window.data()), 1u * 16 + 2 * 4 + 3);
  EXPECT_EQ(ngrams.context_count(), 64u);
  for (int slot = 0; slot < 4; ++slot) {
    std::set<std::size_t> contexts;
    for_each_window(4, ngrams.pad(), [&](const Assignment& w) { contexts.insert(ngrams.context(slot, w.data())); });
    EXPECT_EQ(contexts.size(), ngrams.context_count());
    EXPECT_EQ(*contexts.rbegin(), ngrams.context_count() - 1);
  }
}

TEST(LabelNgramsTest, ContextsWithoutNgramsOfTheirOwnShareRows) {
  const std::vector<LabelNgram> ngrams = {{.labels = {1, 2}, .size = 2, .score = 1},
                                          {.labels = {0, 1, 2}, .size = 3, .score = 2},
                                          {.labels = {0, 1, 2}, .size = 3, .score = 3}};
  const LabelNgrams compiled(3, 3, ngrams);
  const auto row = [&](Value a, Value b) {
    const Assignment window = {a, b, 0};
    return compiled.row(2, compiled.context(2, window.data()));
  };
  EXPECT_EQ(row(2, 1), row(1, 1));  // only the pair (1, 2) knows of them
  EXPECT_EQ(row(3, 1), row(1, 1));  // and a pad before it changes nothing
  EXPECT_EQ(row(0, 0), row(2, 2));  // nothing at all
  EXPECT_NE(row(0, 1), row(1, 1));
  EXPECT_EQ(row(0, 1)[2], 6);
  EXPECT_EQ(row(1, 1)[2], 1);
  // The shared zero row; slot 2: contexts ..1 and 01; slot 1: .2 and 02; slot 0: 12.
  EXPECT_EQ(compiled.row_count(), 6u);
}

TEST(LabelNgramsTest, RowsAreAlignedAndPaddedWithZeros) {
  for (const int labels : {1, 15, 16, 17, 49}) {
    const LabelNgrams ngrams(labels, 2, some_ngrams(labels, 2, 9));
    EXPECT_EQ(ngrams.stride() % 16, 0u);
    EXPECT_GE(ngrams.stride(), static_cast<std::size_t>(labels));
    EXPECT_LT(ngrams.stride(), static_cast<std::size_t>(labels) + 16);
    for (std::size_t c = 0; c < ngrams.context_count(); ++c) {
      const float* row = ngrams.row(1, c);
      EXPECT_EQ(reinterpret_cast<std::uintptr_t>(row) % 64, 0u);
      for (std::size_t k = static_cast<std::size_t>(labels); k < ngrams.stride(); ++k) EXPECT_EQ(row[k], 0);
    }
  }
}

TEST(LabelNgramsTest, ForbiddenStaysForbidden) {
  const std::vector<LabelNgram> ngrams = {{.labels = {0, 1}, .size = 2, .score = kImpossibleF},
                                          {.labels = {0, 1}, .size = 2, .score = 5},
                                          {.labels = {1, 0, 1}, .size = 3, .score = 5}};
  const LabelNgrams compiled(2, 3, ngrams);
  const Assignment window = {1, 0, 1};
  EXPECT_EQ(compiled.window_score(window.data()), kImpossibleF);
}

TEST(LabelNgramsTest, RefusesFactorSizesOutOfRangeAndTooManyContexts) {
  EXPECT_THAT(testing::message_of<UsageError>([] { LabelNgrams(3, 0); }), HasSubstr("factor size 0"));
  EXPECT_THAT(testing::message_of<UsageError>([] { LabelNgrams(3, kMaxFactorSize + 1); }), HasSubstr("[1, 6]"));
  EXPECT_THAT(testing::message_of<UsageError>([] { LabelNgrams(162, 4); }), HasSubstr("smaller factor size"));
  EXPECT_NO_THROW(LabelNgrams(160, 4));  // 161^3 contexts: the most that fit below 2^22
}

TEST(LabelNgramsTest, NgramsThatDoNotFitAreBugs) {
  const LabelNgram long_one{.labels = {0, 0, 0}, .size = 3, .score = 1};
  const LabelNgram foreign{.labels = {0, 3}, .size = 2, .score = 1};
  const LabelNgram single{.labels = {0}, .size = 1, .score = 1};
  for (const LabelNgram& ngram : {long_one, foreign, single})
    EXPECT_THROW(LabelNgrams(3, 2, std::span(&ngram, 1)), InternalError);
}

}  // namespace
}  // namespace fovea::sequence
