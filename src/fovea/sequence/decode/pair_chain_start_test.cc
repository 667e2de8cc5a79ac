// SPDX-License-Identifier: Apache-2.0
#include "fovea/sequence/decode/pair_chain_start.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "fovea/base/random.h"
#include "fovea/sequence/exact/forward_backward.h"
#include "fovea/sequence/sample/orders.h"
#include "fovea/sequence/sample/sequence_kernel.h"
#include "tests/support/random_sequences.h"

namespace fovea::sequence {
namespace {

constexpr int kLabels = 3;

LabelNgrams pairs_of(const std::vector<float>& scores) {
  std::vector<LabelNgram> pairs;
  for (int a = 0; a < kLabels; ++a)
    for (int b = 0; b < kLabels; ++b)
      pairs.push_back({.labels = {static_cast<Value>(a), static_cast<Value>(b)},
                       .size = 2,
                       .score = scores[static_cast<std::size_t>(a * kLabels + b)]});
  return LabelNgrams(kLabels, 2, pairs);
}

/// The objective in pair_chain_start.h, written independently.
double objective(const LabelSequences& label_sequences, const Assignment& gold, const std::vector<float>& scores,
                 double l2) {
  const LabelNgrams pairs = pairs_of(scores);
  ForwardBackward chain(pairs);
  double value = 0;
  for (const float s : scores) value -= l2 * double{s} * double{s};
  for (std::size_t s = 0; s < label_sequences.sequence_count(); ++s) {
    value -= chain.run(label_sequences, s, nullptr, nullptr);
    for (std::size_t p = label_sequences.begin(s); p < label_sequences.end(s); ++p) {
      value += double{label_sequences.unary(p)[gold[p]]};
      if (p > label_sequences.begin(s)) value += double{scores[gold[p - 1] * kLabels + gold[p]]};
    }
  }
  return value;
}

/// Sequences of factor size 3 with labels drawn from a chain of pairs with the same unary scores.
struct PairTruth {
  explicit PairTruth(std::size_t sequences) {
    const testing::RandomSequencesShape shape{
        .factor_size = 2, .lengths = std::vector<std::uint32_t>(sequences, 12), .ngram_density = 1};
    const auto truth = testing::random_sequences(shape, 5);
    Assignment y = truth.sequences->make_labeling();
    Random random(7);
    for (int sweep = 0; sweep < 30; ++sweep)
      SequenceGibbs(*truth.sequences).step(y, colour_order(*truth.sequences), random);
    for (Value a = 0; a < kLabels; ++a)
      for (Value b = 0; b < kLabels; ++b) {
        const Assignment window = {a, b};
        scores.push_back(truth.ngrams->window_score(window.data()));
      }
    made = testing::random_sequences({.factor_size = 3, .lengths = shape.lengths}, 6);
    gold = made.sequences->make_labeling();
    for (std::size_t s = 0; s < sequences; ++s)
      for (std::size_t t = 0; t < 12; ++t) {
        gold[made.sequences->begin(s) + t] = y[truth.sequences->begin(s) + t];
        std::copy_n(truth.sequences->unary(truth.sequences->begin(s) + t), kLabels,
                    made.sequences->unary(made.sequences->begin(s) + t));
      }
  }
  testing::RandomSequences made;
  Assignment gold;
  std::vector<float> scores;
};

// Scores are known up to a gauge, S[a][b] + c + g_a - g_b, nearly (the ends of a sequence pin g): second differences
// S[a][b] - S[a][d] - S[c][b] + S[c][d] are free of it.
TEST(PairChainStartTest, RecoversThePairChainThatMadeTheLabels) {
  const PairTruth truth(4000);
  const std::vector<float> fitted = fit_pair_chain_start(*truth.made.sequences, truth.gold, 1e-3);
  const auto second_difference = [](const std::vector<float>& s, int a, int b) {
    return s[a * kLabels + b] - s[a * kLabels] - s[b] + s[0];
  };
  for (int a = 1; a < kLabels; ++a)
    for (int b = 1; b < kLabels; ++b)
      // 44,000 transitions, about 5,000 of each pair: a standard error below .05.
      EXPECT_NEAR(second_difference(fitted, a, b), second_difference(truth.scores, a, b), 0.25);
}

TEST(PairChainStartTest, IsAMaximumOfItsObjective) {
  const PairTruth truth(100);
  for (const double l2 : {0.2, 5.0}) {
    const std::vector<float> fitted = fit_pair_chain_start(*truth.made.sequences, truth.gold, l2);
    const double best = objective(*truth.made.sequences, truth.gold, fitted, l2);
    EXPECT_GT(best, objective(*truth.made.sequences, truth.gold, std::vector<float>(fitted.size()), l2) + 1);
    for (std::size_t i = 0; i < fitted.size(); ++i)
      for (const float step : {-0.1f, 0.1f}) {
        std::vector<float> moved = fitted;
        moved[i] += step;
        EXPECT_LT(objective(*truth.made.sequences, truth.gold, moved, l2), best) << i;
      }
  }
}

TEST(PairChainStartTest, SequencesWithUnknownOrForbiddenLabelsAreLeftOut) {
  PairTruth truth(60);
  Assignment partial = truth.gold;
  for (std::size_t s = 30; s < 60; ++s) partial[truth.made.sequences->begin(s) + 4] = kLabels;
  const std::vector<float> half = fit_pair_chain_start(*truth.made.sequences, partial);
  EXPECT_NE(half, fit_pair_chain_start(*truth.made.sequences, truth.gold));
  for (std::size_t s = 30; s < 60; ++s) {
    const std::size_t p = truth.made.sequences->begin(s) + 7;
    truth.made.sequences->unary(p)[truth.gold[p]] = -std::numeric_limits<float>::infinity();
  }
  EXPECT_EQ(fit_pair_chain_start(*truth.made.sequences, truth.gold), half);
}

/// Likelihood of the labels, token by token, minus the penalty.
double objective(const LabelSequences& label_sequences, const Assignment& labels, const UnaryLaw& law, double l2) {
  double value = -l2 * (law.scale - 1) * (law.scale - 1);
  for (const float b : law.bias) value -= l2 * double{b} * double{b};
  for (std::size_t s = 0; s < label_sequences.sequence_count(); ++s)
    for (std::size_t p = label_sequences.begin(s); p < label_sequences.end(s); ++p) {
      double total = 0;
      const auto score = [&](std::size_t k) {
        return double{law.scale} * label_sequences.unary(p)[k] + double{law.bias[k]};
      };
      for (std::size_t k = 0; k < kLabels; ++k) total += std::exp(score(k));
      value += score(labels[p]) - std::log(total);
    }
  return value;
}

TEST(UnaryLawTest, IsAMaximumOfItsObjective) {
  const PairTruth truth(100);
  const LabelSequences& label_sequences = *truth.made.sequences;
  for (const double l2 : {0.2, 5.0}) {
    const UnaryLaw fitted = fit_unary_law(label_sequences, truth.gold, l2);
    const double best = objective(label_sequences, truth.gold, fitted, l2);
    for (int i = 0; i <= kLabels; ++i)
      for (const float step : {-0.05f, 0.05f}) {
        UnaryLaw moved = fitted;
        (i < kLabels ? moved.bias[i] : moved.scale) += step;
        EXPECT_LT(objective(label_sequences, truth.gold, moved, l2), best) << i;
      }
  }
}

TEST(UnaryLawTest, LabelsThatContradictTheScoresLeaveThemTheirSign) {
  auto made = testing::random_sequences({.lengths = std::vector<std::uint32_t>(50, 10)}, 9);
  Assignment worst = made.sequences->make_labeling();
  for (std::size_t s = 0; s < 50; ++s)
    for (std::size_t p = made.sequences->begin(s); p < made.sequences->end(s); ++p)
      worst[p] = static_cast<Value>(std::min_element(made.sequences->unary(p), made.sequences->unary(p) + kLabels) -
                                    made.sequences->unary(p));
  EXPECT_GT(fit_unary_law(*made.sequences, worst).scale, 0);
}

testing::RandomSequences wide_sequences(double forbidden) {
  return testing::random_sequences(
      {.label_count = 20, .lengths = {30, 0, 1, 7}, .scale = 2, .ngram_density = 1, .forbidden = forbidden}, 21);
}

TEST(PairChainStartTest, WithoutPruningItIsTheWholeChain) {
  const auto made = wide_sequences(0);
  Assignment y = made.sequences->make_labeling(), expected = y;
  std::vector<float> doubt(y.size()), expected_doubt(y.size());
  PairChainStart(*made.ngrams, {}, 0).decode(*made.sequences, y, doubt.data());
  ForwardBackward full(*made.ngrams);
  for (std::size_t s = 0; s < 4; ++s) full.decode(*made.sequences, s, &expected, expected_doubt.data());
  EXPECT_EQ(y, expected);
  EXPECT_EQ(doubt, expected_doubt);
}

TEST(PairChainStartTest, PruningLittleChangesLittle) {
  const auto made = wide_sequences(0);
  const LabelSequences& label_sequences = *made.sequences;
  Assignment y = label_sequences.make_labeling(), full = y;
  std::vector<float> doubt(y.size()), full_doubt(y.size());
  OpenLabels open, full_open;
  PairChainStart(*made.ngrams, {}, 1e-6).decode(label_sequences, y, doubt.data(), &open, .2);
  PairChainStart(*made.ngrams, {}, 0).decode(label_sequences, full, full_doubt.data(), &full_open, .2);
  EXPECT_EQ(y, full);
  for (std::size_t p = 0; p < y.size(); ++p) {
    EXPECT_NEAR(doubt[p], full_doubt[p], 1e-3);
    EXPECT_THAT(open.at(p), ::testing::ElementsAreArray(full_open.at(p)));
  }
}

TEST(PairChainStartTest, ASequenceWithoutAnOpenLabelingIsSummedInFull) {
  const LabelNgram forbidden{.labels = {0, 0}, .size = 2, .score = -std::numeric_limits<float>::infinity()};
  const LabelNgrams ngrams(20, 2, std::span(&forbidden, 1));
  LabelSequences label_sequences(ngrams);
  label_sequences.reset(std::vector<std::uint32_t>{2});
  for (std::size_t p = label_sequences.begin(0); p < label_sequences.end(0); ++p) {
    std::fill_n(label_sequences.unary(p), 20, -9.0f);
    label_sequences.unary(p)[0] = 1;
    label_sequences.unary(p)[p - label_sequences.begin(0) + 1] = p == label_sequences.begin(0) ? -2.0f : -1.0f;
  }
  Assignment y = label_sequences.make_labeling();
  std::vector<float> doubt(y.size());
  PairChainStart(ngrams, {}, 0.9).decode(label_sequences, y, doubt.data());
  EXPECT_EQ(y[label_sequences.begin(0)],
            0);  // each token alone prefers 0, together they may not; the whole chain knows better
  EXPECT_EQ(y[label_sequences.begin(0) + 1], 2);
}

TEST(PairChainStartTest, NothingKnownGivesZeros) {
  const auto made = testing::random_sequences({.factor_size = 3}, 1);
  const Assignment unknown(made.sequences->position_count(), kLabels);
  EXPECT_EQ(fit_pair_chain_start(*made.sequences, unknown), std::vector<float>(kLabels * kLabels));
}

}  // namespace
}  // namespace fovea::sequence
