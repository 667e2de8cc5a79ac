// SPDX-License-Identifier: Apache-2.0
#include "fovea/sequence/exact/viterbi.h"

#include <gtest/gtest.h>

#include <cmath>

#include "fovea/base/error.h"
#include "fovea/mcmc/enumeration.h"
#include "fovea/sequence/exact/log_recursions.h"
#include "tests/support/instruction_sets.h"
#include "tests/support/random_sequences.h"

namespace fovea::sequence {
namespace {

using testing::RandomSequences;
using testing::RandomSequencesShape;

void expect_as_enumerated_now(const RandomSequences& random, double tolerance) {
  Viterbi viterbi(*random.ngrams);
  Assignment labeling = random.sequences->make_labeling();
  const Assignment untouched = labeling;
  for (std::size_t s = 0; s < random.sequences->sequence_count(); ++s) {
    const double best = mcmc::enumerate(SequenceView(*random.sequences, s)).best.score;
    const double score = viterbi.decode(*random.sequences, s, labeling);
    if (random.sequences->begin(s) == random.sequences->end(s)) {
      EXPECT_EQ(score, 0);
    } else if (best == -INFINITY) {
      EXPECT_EQ(score, -INFINITY);
    } else {
      EXPECT_NEAR(score, best, tolerance);
      EXPECT_NEAR(random.sequences->log_score(s, labeling), score, 1e-9 * std::abs(score));
    }
    for (std::size_t p = 0; p < labeling.size(); ++p)
      EXPECT_EQ(labeling[p] == random.ngrams->pad(), untouched[p] == random.ngrams->pad());
  }
}

void expect_as_enumerated(const RandomSequences& random, double tolerance) {
  testing::for_each_instruction_set([&] { expect_as_enumerated_now(random, tolerance); });
}

// Only pairs tell labelings apart, by scores that single floats lose next to those of the tokens.
TEST(Viterbi, small_scores_beside_large_ones_count) {
  const std::vector<LabelNgram> pairs = {{.labels = {0, 1}, .size = 2, .score = 2},
                                         {.labels = {1, 0}, .size = 2, .score = 1}};
  for (const int factor_size : {2, 3}) {
    const LabelNgrams ngrams(2, factor_size, pairs);
    LabelSequences sequences(ngrams);
    sequences.reset(std::vector<std::uint32_t>{4, 2});
    for (std::size_t s = 0; s < 2; ++s)
      for (std::size_t p = sequences.begin(s); p < sequences.end(s); ++p)
        sequences.unary(p)[0] = sequences.unary(p)[1] = s ? 1 : 3e8f;
    Assignment labels = sequences.make_labeling();
    EXPECT_EQ(Viterbi(ngrams).decode_all(sequences, labels), 4 * double{3e8f} + 5 + 4);
    for (std::size_t s = 0; s < 2; ++s)
      for (std::size_t p = sequences.begin(s); p < sequences.end(s); ++p)
        EXPECT_EQ(labels[p], (p - sequences.begin(s)) % 2);
    sequences.unary(sequences.begin(0))[0] = sequences.unary(sequences.begin(0))[1] = -INFINITY;
    EXPECT_EQ(Viterbi(ngrams).decode(sequences, 0, labels), -INFINITY);
    EXPECT_EQ(labels[sequences.begin(0) + 1], 0);
  }
}

TEST(Viterbi, score_vs_enumeration) {
  std::uint32_t seed = 0;
  for (int labels = 2; labels <= 4; ++labels)
    for (int q = 1; q <= 5; ++q)
      for (double density : {.1, .6, 1.0})
        for (double forbidden : {0.0, .15}) {
          SCOPED_TRACE(::testing::Message()
                       << "K=" << labels << " q=" << q << " density=" << density << " forbidden=" << forbidden);
          expect_as_enumerated(testing::random_sequences({.label_count = labels,
                                                          .factor_size = q,
                                                          .lengths = {1, 0, 3, 6, 2},
                                                          .ngram_density = density,
                                                          .forbidden = forbidden},
                                                         ++seed),
                               1e-5);
        }
}

TEST(Viterbi, wide_labels_vs_enumeration) {
  for (int labels : {9, 15, 16, 17, 33, 49, 65, 130})
    for (int q : {1, 2, 3}) {
      if (q == 3 && labels > 50) continue;
      const std::vector<std::uint32_t> lengths =
          labels > 20 ? std::vector<std::uint32_t>{1, 2} : std::vector{1u, 2u, 3u};
      expect_as_enumerated(
          testing::random_sequences({.label_count = labels, .factor_size = q, .lengths = lengths, .ngram_density = .3},
                                    static_cast<std::uint32_t>(labels)),
          1e-5);
    }
}

// Long enough to be re-centred many times; at this scale single precision without that would be off by whole units.
TEST(Viterbi, long_sequences_are_as_good_as_in_double_precision) {
  for (int labels : {5, 20}) {
    const RandomSequences random =
        testing::random_sequences({.label_count = labels, .lengths = {20'000}, .scale = 30}, 6);
    std::vector<double> alpha;
    const SequenceStates states(*random.ngrams);
    internal::LogRecursions<internal::Maximum>(states).forward(*random.sequences, 0, alpha);
    const double best = *std::max_element(alpha.end() - states.count(), alpha.end());
    testing::for_each_instruction_set([&] {
      Assignment labeling = random.sequences->make_labeling();
      EXPECT_NEAR(Viterbi(*random.ngrams).decode(*random.sequences, 0, labeling), best, 1e-9 * best);
    });
  }
}

TEST(Viterbi, infeasible_sequence_is_minus_infinity_with_labels_zero) {
  RandomSequences random = testing::random_sequences({.label_count = 3, .lengths = {3, 3}}, 1);
  std::fill_n(random.sequences->unary(random.sequences->begin(0) + 1), 3, -INFINITY);
  Assignment labeling = random.sequences->make_labeling();
  for (std::size_t p = random.sequences->begin(0); p < random.sequences->end(0); ++p) labeling[p] = 2;
  Viterbi viterbi(*random.ngrams);
  EXPECT_EQ(viterbi.decode(*random.sequences, 0, labeling), -INFINITY);
  for (std::size_t p = random.sequences->begin(0); p < random.sequences->end(0); ++p) EXPECT_EQ(labeling[p], 0);
  EXPECT_EQ(viterbi.decode_all(*random.sequences, labeling), -INFINITY);
  EXPECT_GT(random.sequences->log_score(1, labeling), -INFINITY);
}

TEST(Viterbi, decode_all_is_decode_of_each) {
  const RandomSequences random =
      testing::random_sequences({.label_count = 9, .lengths = {7, 1, 0, 12, 3, 3, 20, 5, 1}}, 2);
  Viterbi viterbi(*random.ngrams);
  Assignment one = random.sequences->make_labeling(), all = one;
  double sum = 0;
  for (std::size_t s = 0; s < random.sequences->sequence_count(); ++s) sum += viterbi.decode(*random.sequences, s, one);
  testing::for_each_instruction_set([&] {
    all = random.sequences->make_labeling();
    EXPECT_DOUBLE_EQ(viterbi.decode_all(*random.sequences, all), sum);
    EXPECT_EQ(all, one);
  });
}

TEST(Viterbi, a_low_order_model_runs_on_chains_laid_out_for_a_high_order_one) {
  const RandomSequences high = testing::random_sequences({.label_count = 3, .factor_size = 4, .lengths = {5, 6}}, 4);
  const RandomSequences low = testing::random_sequences({.label_count = 3, .factor_size = 2, .lengths = {5, 6}}, 4);
  LabelSequences same_unary(*low.ngrams);
  same_unary.reset(std::vector<std::uint32_t>{5, 6});
  for (std::size_t s = 0; s < 2; ++s)
    for (std::size_t t = 0; t < high.sequences->end(s) - high.sequences->begin(s); ++t)
      std::copy_n(high.sequences->unary(high.sequences->begin(s) + t), 3, same_unary.unary(same_unary.begin(s) + t));
  Viterbi viterbi(*low.ngrams);
  Assignment on_high = high.sequences->make_labeling(), on_low = same_unary.make_labeling();
  for (std::size_t s = 0; s < 2; ++s)
    EXPECT_EQ(viterbi.decode(*high.sequences, s, on_high), viterbi.decode(same_unary, s, on_low));
}

TEST(Viterbi, refuses_what_does_not_fit_in_memory) {
  std::mt19937 engine(1);
  const LabelNgrams ngrams(20, 4,
                           testing::random_ngrams({.label_count = 20, .factor_size = 4, .ngram_density = .5}, engine));
  LabelSequences sequences(ngrams);
  sequences.reset(std::vector<std::uint32_t>{100'000});
  EXPECT_GT(viterbi_bytes(ngrams, 100'000), Viterbi::kMaxBytes);
  EXPECT_GT(viterbi_flops(ngrams, 2), viterbi_flops(ngrams, 1));
  Assignment labeling = sequences.make_labeling();
  EXPECT_THROW(Viterbi(ngrams).decode(sequences, 0, labeling), LimitError);
}

}  // namespace
}  // namespace fovea::sequence
