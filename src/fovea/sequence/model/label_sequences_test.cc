// SPDX-License-Identifier: Apache-2.0
#include "fovea/sequence/model/label_sequences.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

#include "fovea/base/error.h"
#include "tests/support/expect_error.h"
#include "tests/support/random_sequences.h"

namespace fovea::sequence {
namespace {

const std::vector<std::uint32_t> kLengths = {3, 0, 1, 4};

TEST(LabelSequencesTest, SequencesLieEndToEndWithPadsAroundEach) {
  for (int q = 1; q <= 4; ++q) {
    SCOPED_TRACE(q);
    const LabelNgrams ngrams(5, q);
    LabelSequences sequences(ngrams);
    sequences.reset(kLengths);
    ASSERT_EQ(sequences.sequence_count(), kLengths.size());
    EXPECT_EQ(sequences.token_count(), 8u);
    EXPECT_EQ(sequences.position_count(), 8u + 5 * static_cast<std::size_t>(q - 1));
    std::size_t expected = static_cast<std::size_t>(q - 1);
    for (std::size_t s = 0; s < kLengths.size(); ++s) {
      EXPECT_EQ(sequences.begin(s), expected);
      EXPECT_EQ(sequences.end(s), expected + kLengths[s]);
      expected += kLengths[s] + static_cast<std::size_t>(q - 1);
    }
    EXPECT_EQ(sequences.position_count(), expected);
  }
}

TEST(LabelSequencesTest, LabelingsHoldThePadLabelAtPads) {
  const LabelNgrams ngrams(5, 2);
  LabelSequences sequences(ngrams);
  sequences.reset(kLengths);
  EXPECT_THAT(sequences.make_labeling(), ElementsAre(5, 0, 0, 0, 5, 5, 0, 5, 0, 0, 0, 0, 5));
}

TEST(LabelSequencesTest, UnaryRowsStartAtZeroWithPaddingLanesForbidden) {
  const LabelNgrams ngrams(17, 3);
  LabelSequences sequences(ngrams);
  sequences.reset(kLengths);
  for (std::size_t p = 0; p < sequences.position_count(); ++p) {
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(sequences.unary(p)) % 64, 0u);
    for (std::size_t k = 0; k < ngrams.stride(); ++k)
      EXPECT_EQ(sequences.unary(p)[k], k < 17 ? 0 : -std::numeric_limits<float>::infinity());
  }
}

TEST(LabelSequencesTest, ResetForgetsWhatWasThere) {
  const LabelNgrams ngrams(2, 2);
  LabelSequences sequences(ngrams);
  sequences.reset(kLengths);
  for (std::size_t p = 0; p < sequences.position_count(); ++p) sequences.unary(p)[1] = 7;
  sequences.reset(std::vector<std::uint32_t>{2});
  EXPECT_EQ(sequences.sequence_count(), 1u);
  EXPECT_EQ(sequences.position_count(), 4u);
  for (std::size_t p = 0; p < sequences.position_count(); ++p) EXPECT_EQ(sequences.unary(p)[1], 0);
  sequences.reset({});
  EXPECT_EQ(sequences.token_count(), 0u);
  EXPECT_EQ(sequences.log_score(sequences.make_labeling()), 0);
}

/// Scores one sequence by the definition in label_ngrams.h: every n-gram compared at every place where it fits.
double score_by_definition(const LabelSequences& sequences, std::span<const LabelNgram> ngrams, std::size_t s,
                           const Assignment& y) {
  double score = 0;
  for (std::size_t p = sequences.begin(s); p < sequences.end(s); ++p) {
    score += double{sequences.unary(p)[y[p]]};
    for (const LabelNgram& g : ngrams)
      if (p + 1 >= sequences.begin(s) + g.size && std::equal(g.labels.begin(), g.labels.begin() + g.size,
                                                             y.begin() + static_cast<std::ptrdiff_t>(p + 1 - g.size)))
        score += double{g.score};
  }
  return score;
}

TEST(LabelSequencesTest, LogScoreVsDefinition) {
  std::mt19937 labels(5);
  for (int q = 1; q <= 5; ++q) {
    SCOPED_TRACE(q);
    const testing::RandomSequencesShape shape{.factor_size = q, .lengths = kLengths};
    const auto made = testing::random_sequences(shape, 7);
    std::mt19937 same(7);  // random_sequences draws the n-grams first
    const std::vector<LabelNgram> ngrams = testing::random_ngrams(shape, same);
    const LabelSequences& sequences = *made.sequences;
    for (int trial = 0; trial < 20; ++trial) {
      Assignment y = sequences.make_labeling();
      double total = 0;
      for (Value& label : y)
        if (label != sequences.ngrams().pad()) label = static_cast<Value>(labels() % 3);
      for (std::size_t s = 0; s < sequences.sequence_count(); ++s) {
        const double expected = score_by_definition(sequences, ngrams, s, y);
        EXPECT_NEAR(sequences.log_score(s, y), expected, 1e-5);
        const Assignment own(y.begin() + static_cast<std::ptrdiff_t>(sequences.begin(s)),
                             y.begin() + static_cast<std::ptrdiff_t>(sequences.end(s)));
        EXPECT_NEAR(SequenceView(sequences, s).log_score(own), expected, 1e-5);
        total += expected;
      }
      EXPECT_NEAR(sequences.log_score(y), total, 1e-5);
    }
  }
}

TEST(LabelSequencesTest, ScoringALabelingOfAnotherLayoutIsABug) {
  const auto made = testing::random_sequences({}, 1);
  EXPECT_THROW((void)made.sequences->log_score(0, Assignment(3)), InternalError);
}

TEST(SequenceViewTest, BlanketIsTheTokensWithinTheFactorSize) {
  const auto made = testing::random_sequences({.factor_size = 3, .lengths = {2, 6, 1}}, 1);
  const SequenceView view(*made.sequences, 1);
  EXPECT_EQ(view.variable_count(), 6u);
  EXPECT_EQ(view.cardinality(0), 3u);
  EXPECT_THAT(view.markov_blanket(0), ElementsAre(1, 2));
  EXPECT_THAT(view.markov_blanket(2), ElementsAre(0, 1, 3, 4));
  EXPECT_THAT(view.markov_blanket(5), ElementsAre(3, 4));
  EXPECT_TRUE(SequenceView(*made.sequences, 2).markov_blanket(0).empty());
}

TEST(SequenceViewTest, ConditionalsIgnoreWhatLiesOutsideTheBlanket) {
  const auto made = testing::random_sequences({.factor_size = 3, .lengths = {7}, .ngram_density = 1}, 3);
  const SequenceView view(*made.sequences, 0);
  const auto gaps = [&](const Assignment& y) {
    std::vector<float> scores(3);
    view.conditional_scores(3, y, scores);
    return std::pair(scores[1] - scores[0], scores[2] - scores[0]);
  };
  const Assignment y = {0, 1, 2, 0, 1, 2, 0};
  for (VariableId u = 0; u < 7; ++u) {
    Assignment other = y;
    other[u] = static_cast<Value>((y[u] + 1) % 3);
    const bool inside = u != 3 && u >= 1 && u <= 5;
    const auto [a, b] = gaps(y);
    const auto [c, d] = gaps(other);
    EXPECT_EQ(std::abs(a - c) + std::abs(b - d) > 1e-4, inside) << u;
  }
}

}  // namespace
}  // namespace fovea::sequence
