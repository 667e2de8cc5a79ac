// SPDX-License-Identifier: Apache-2.0
#include "fovea/sequence/exact/forward_backward.h"

#include <gtest/gtest.h>

#include <cmath>
#include <map>

#include "fovea/base/error.h"
#include "fovea/mcmc/enumeration.h"
#include "tests/support/instruction_sets.h"
#include "tests/support/random_sequences.h"

namespace fovea::sequence {
namespace {

using testing::RandomSequences;
using testing::RandomSequencesShape;

// Expected counts of label strings of n labels, from all assignments or from the counts of windows.
using StringCounts = std::map<std::vector<Value>, double>;

StringCounts enumerated_counts(const SequenceView& view, double log_z, std::size_t n) {
  StringCounts counts;
  mcmc::enumerate_assignments(view, [&](const Assignment& y, double score) {
    for (std::size_t t = 0; t + n <= y.size(); ++t)
      counts[{y.begin() + t, y.begin() + t + n}] += std::exp(score - log_z);
  });
  return counts;
}

double counted(const LabelNgrams& ngrams, const std::vector<double>& windows, const std::vector<Value>& labels) {
  const std::size_t base = ngrams.label_count() + 1;
  std::size_t suffix = 0, power = 1;
  for (std::size_t i = 0; i + 1 < labels.size(); ++i) suffix = suffix * base + labels[i], power *= base;
  double sum = 0;
  for (std::size_t c = suffix; c < ngrams.context_count(); c += power)
    sum += windows[c * ngrams.stride() + labels.back()];
  return sum;
}

void expect_as_enumerated(const RandomSequences& random, std::span<const LabelNgram> ngrams, double tolerance) {
  const LabelNgrams& bound = *random.ngrams;
  ForwardBackward forward_backward(bound);
  for (std::size_t s = 0; s < random.sequences->sequence_count(); ++s) {
    const SequenceView view(*random.sequences, s);
    const mcmc::EnumerationResult expected = mcmc::enumerate(view);
    std::vector<float> marginals(view.variable_count() * bound.stride(), -1);
    std::vector<double> windows(bound.context_count() * bound.stride(), 0);
    const double log_z = forward_backward.run(*random.sequences, s, marginals.data(), windows.data());
    EXPECT_EQ(forward_backward.run(*random.sequences, s, nullptr, nullptr), log_z);
    if (expected.log_z == -INFINITY) {
      EXPECT_EQ(log_z, -INFINITY);
      for (float m : marginals) EXPECT_EQ(m, 0);
      for (double w : windows) EXPECT_EQ(w, 0);
      continue;
    }
    EXPECT_NEAR(log_z, expected.log_z, tolerance * std::max(1.0, std::abs(expected.log_z)));
    for (std::size_t t = 0; t < view.variable_count(); ++t)
      for (std::size_t k = 0; k < bound.stride(); ++k)
        EXPECT_NEAR(marginals[t * bound.stride() + k],
                    k < static_cast<std::size_t>(bound.label_count()) ? expected.marginals[t][k] : 0.0, tolerance);
    for (std::size_t n = 2; n <= static_cast<std::size_t>(bound.factor_size()); ++n) {
      StringCounts counts = enumerated_counts(view, expected.log_z, n);
      for (const LabelNgram& ngram : ngrams) {
        if (ngram.size != n) continue;
        const std::vector<Value> labels(ngram.labels.begin(), ngram.labels.begin() + n);
        EXPECT_NEAR(counted(bound, windows, labels), counts[labels], tolerance);
      }
    }
  }
}

TEST(ForwardBackward, log_z_marginals_and_ngram_counts_vs_enumeration) {
  std::uint32_t seed = 0;
  for (int labels = 2; labels <= 4; ++labels)
    for (int q = 1; q <= 5; ++q)
      for (double density : {.1, .6, 1.0})
        for (double forbidden : {0.0, .15}) {
          const RandomSequencesShape shape{.label_count = labels,
                                           .factor_size = q,
                                           .lengths = {1, 0, 3, 6, 2},
                                           .ngram_density = density,
                                           .forbidden = forbidden};
          std::mt19937 engine(++seed);
          const std::vector<LabelNgram> ngrams = testing::random_ngrams(shape, engine);
          SCOPED_TRACE(::testing::Message()
                       << "K=" << labels << " q=" << q << " density=" << density << " forbidden=" << forbidden);
          testing::for_each_instruction_set(
              [&] { expect_as_enumerated(testing::random_sequences(shape, seed), ngrams, 2e-6); });
        }
}

TEST(ForwardBackward, scores_of_any_magnitude) {
  std::uint32_t seed = 1000;
  for (double scale : {1e-3, 10.0, 30.0, 100.0, 1e3, 1e4})
    for (int q : {2, 3})
      for (double forbidden : {0.0, .2}) {
        const RandomSequencesShape shape{
            .label_count = 4, .factor_size = q, .lengths = {6, 5, 6, 6}, .scale = scale, .forbidden = forbidden};
        std::mt19937 engine(++seed);
        SCOPED_TRACE(::testing::Message() << "scale=" << scale << " q=" << q);
        const std::vector<LabelNgram> ngrams = testing::random_ngrams(shape, engine);
        testing::for_each_instruction_set(
            [&] { expect_as_enumerated(testing::random_sequences(shape, seed), ngrams, 1e-5); });
      }
}

/// A small share of the paths may be all that the next token allows: what is lost of it must not be most of the sum.
TEST(ForwardBackward, scores_that_make_a_token_unlikely) {
  for (std::uint32_t seed = 1; seed <= 400; ++seed)
    for (int q : {2, 3}) {
      const RandomSequencesShape shape{
          .factor_size = q, .lengths = {4}, .scale = 60, .ngram_density = 1, .forbidden = .2};
      std::mt19937 engine(seed);
      SCOPED_TRACE(::testing::Message() << "seed=" << seed << " q=" << q);
      const std::vector<LabelNgram> ngrams = testing::random_ngrams(shape, engine);
      expect_as_enumerated(testing::random_sequences(shape, seed), ngrams, 1e-5);
    }
}

TEST(ForwardBackward, decode_is_the_best_marginal_and_its_doubt) {
  const RandomSequences random = testing::random_sequences({.label_count = 3, .lengths = {4, 5}}, 5);
  ForwardBackward forward_backward(*random.ngrams);
  Assignment labeling = random.sequences->make_labeling();
  std::vector<float> doubt(random.sequences->position_count(), -1);
  for (std::size_t s = 0; s < 2; ++s) {
    const mcmc::EnumerationResult expected = mcmc::enumerate(SequenceView(*random.sequences, s));
    EXPECT_NEAR(forward_backward.decode(*random.sequences, s, &labeling, doubt.data()), expected.log_z, 1e-5);
    for (std::size_t p = random.sequences->begin(s); p < random.sequences->end(s); ++p) {
      const std::vector<double>& marginal = expected.marginals[p - random.sequences->begin(s)];
      const auto best = std::max_element(marginal.begin(), marginal.end());
      EXPECT_EQ(labeling[p], best - marginal.begin());
      EXPECT_NEAR(doubt[p], 1 - *best, 1e-6);
    }
  }
  EXPECT_EQ(doubt[0], -1);
  EXPECT_EQ(labeling[0], random.ngrams->pad());
}

TEST(ForwardBackward, rebind_follows_new_scores) {
  const RandomSequencesShape shape{.factor_size = 3, .lengths = {5}};
  std::mt19937 engine(3);
  std::vector<LabelNgram> ngrams = testing::random_ngrams(shape, engine);
  const RandomSequences random = testing::random_sequences(shape, 3);
  ForwardBackward forward_backward(*random.ngrams);
  for (LabelNgram& ngram : ngrams) ngram.score *= 2;
  const LabelNgrams doubled(3, 3, ngrams);
  forward_backward.rebind(doubled);
  const double log_z = forward_backward.run(*random.sequences, 0, nullptr, nullptr);
  EXPECT_EQ(log_z, ForwardBackward(doubled).run(*random.sequences, 0, nullptr, nullptr));
  EXPECT_NE(log_z, ForwardBackward(*random.ngrams).run(*random.sequences, 0, nullptr, nullptr));
}

TEST(ForwardBackward, refuses_what_does_not_fit_in_memory) {
  std::mt19937 engine(1);
  const LabelNgrams ngrams(20, 4,
                           testing::random_ngrams({.label_count = 20, .factor_size = 4, .ngram_density = .5}, engine));
  LabelSequences sequences(ngrams);
  sequences.reset(std::vector<std::uint32_t>{50'000});
  EXPECT_THROW(ForwardBackward(ngrams).run(sequences, 0, nullptr, nullptr), LimitError);
}

// Independent tokens: the count of a pair is known. A float cannot count to it by small steps.
TEST(ForwardBackward, counts_of_a_long_sequence_are_exact) {
  constexpr std::uint32_t kLength = 100'000;
  constexpr double kOdds = .3;
  for (const int factor_size : {2, 3}) {
    const std::vector<LabelNgram> none = {{.labels = {0, 0, 0}, .size = static_cast<std::uint8_t>(factor_size)}};
    const LabelNgrams ngrams(2, factor_size, none);
    LabelSequences sequences(ngrams);
    sequences.reset(std::vector<std::uint32_t>{kLength});
    for (std::size_t t = 0; t < kLength; ++t)
      sequences.unary(sequences.begin(0) + t)[1] = static_cast<float>(std::log(kOdds));
    std::vector<double> windows(ngrams.context_count() * ngrams.stride(), 0);
    ForwardBackward(ngrams).run(sequences, 0, nullptr, windows.data());
    for (const Value left : {0, 1})
      for (const Value right : {0, 1}) {
        const double expected = (kLength - 1) * std::pow(kOdds, left + right) / (1 + kOdds) / (1 + kOdds);
        EXPECT_NEAR(counted(ngrams, windows, {left, right}), expected, 2e-6 * expected) << factor_size;
      }
  }
}

// Scores that a linear domain loses: label 1 is hopeless at every token, but it is the only one that can lead to the
// last.
TEST(ForwardBackward, mass_that_would_underflow_is_not_lost) {
  const float forbidden = -INFINITY;
  const std::vector<LabelNgram> pairs = {{.labels = {0, 1}, .size = 2, .score = forbidden},
                                         {.labels = {1, 0}, .size = 2, .score = forbidden}};
  const LabelNgrams ngrams(2, 2, pairs);
  LabelSequences sequences(ngrams);
  sequences.reset(std::vector<std::uint32_t>{4});
  for (std::size_t t = 0; t < 3; ++t) sequences.unary(sequences.begin(0) + t)[1] = -50;
  sequences.unary(sequences.begin(0) + 3)[0] = -200;
  testing::for_each_instruction_set([&] {
    std::vector<float> marginals(4 * ngrams.stride());
    EXPECT_NEAR(ForwardBackward(ngrams).run(sequences, 0, nullptr, nullptr), -150, 1e-4);
    EXPECT_NEAR(ForwardBackward(ngrams).run(sequences, 0, marginals.data(), nullptr), -150, 1e-4);
    EXPECT_NEAR(marginals[1], 1, 1e-6);
  });
}

}  // namespace
}  // namespace fovea::sequence
