// SPDX-License-Identifier: Apache-2.0
#include "fovea/sequence/exact/beam.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "fovea/base/error.h"
#include "fovea/mcmc/enumeration.h"
#include "fovea/sequence/exact/viterbi.h"
#include "tests/support/instruction_sets.h"
#include "tests/support/random_sequences.h"

namespace fovea::sequence {
namespace {

using testing::RandomSequences;

TEST(BeamSearch, wide_beam_vs_enumeration) {
  std::uint32_t seed = 0;
  for (int labels = 2; labels <= 4; ++labels)
    for (int q = 1; q <= 5; ++q)
      for (double density : {.2, 1.0})
        for (double forbidden : {0.0, .15}) {
          const RandomSequences random = testing::random_sequences({.label_count = labels,
                                                                    .factor_size = q,
                                                                    .lengths = {1, 0, 6, 3},
                                                                    .ngram_density = density,
                                                                    .forbidden = forbidden},
                                                                   ++seed);
          BeamSearch beam(*random.ngrams, static_cast<int>(SequenceStates(*random.ngrams).count()));
          Assignment labeling = random.sequences->make_labeling();
          for (std::size_t s = 0; s < random.sequences->sequence_count(); ++s) {
            const double best = mcmc::enumerate(SequenceView(*random.sequences, s)).best.score;
            testing::for_each_instruction_set([&] {
              const double score = beam.decode(*random.sequences, s, labeling);
              if (best == -INFINITY) {
                EXPECT_EQ(score, best);
                return;
              }
              EXPECT_NEAR(score, best, 1e-5);
              EXPECT_NEAR(random.sequences->log_score(s, labeling), score, 1e-12);
            });
          }
        }
}

// The definition, without any shortcut: of all extensions the best for each state, of these the best `width`.
Assignment plain_beam(const LabelSequences& sequences, std::size_t sequence, std::size_t width) {
  struct Partial {
    double score;
    Assignment labels;
  };
  const SequenceStates states(sequences.ngrams());
  std::map<std::uint32_t, Partial> beam = {{0, {0, {}}}};
  for (std::size_t p = sequences.begin(sequence); p < sequences.end(sequence); ++p) {
    std::map<std::uint32_t, Partial> extended;
    for (const auto& [state, partial] : beam)
      for (int k = 0; k < sequences.ngrams().label_count(); ++k) {
        const auto label = static_cast<Value>(k);
        Partial next = {partial.score + sequences.unary(p)[k] + states.row(state)[k], partial.labels};
        next.labels.push_back(label);
        Partial& kept = extended.try_emplace(states.next(state, label), next).first->second;
        if (next.score > kept.score) kept = next;
      }
    std::vector<double> scores;
    for (const auto& [state, partial] : extended) scores.push_back(partial.score);
    std::sort(scores.rbegin(), scores.rend());
    beam.clear();
    for (const auto& [state, partial] : extended)
      if (scores.size() <= width || partial.score >= scores[width - 1]) beam[state] = partial;
  }
  const auto lower = [](const auto& a, const auto& b) { return a.second.score < b.second.score; };
  return std::max_element(beam.begin(), beam.end(), lower)->second.labels;
}

TEST(BeamSearch, narrow_beam_vs_its_definition) {
  std::uint32_t seed = 0;
  for (int labels : {3, 9, 20})
    for (int q : {2, 3, 4})
      for (int width : {1, 2, 3, 5, 8}) {
        const RandomSequences random = testing::random_sequences(
            {.label_count = labels, .factor_size = q, .lengths = {1, 12, 20}, .ngram_density = q == 4 ? .05 : .3},
            ++seed);
        BeamSearch beam(*random.ngrams, width);
        Assignment labeling = random.sequences->make_labeling();
        for (std::size_t s = 0; s < 3; ++s) {
          const Assignment expected = plain_beam(*random.sequences, s, static_cast<std::size_t>(width));
          testing::for_each_instruction_set([&] {
            beam.decode(*random.sequences, s, labeling);
            const auto begin = labeling.begin() + static_cast<std::ptrdiff_t>(random.sequences->begin(s));
            EXPECT_EQ(Assignment(begin, begin + static_cast<std::ptrdiff_t>(expected.size())), expected)
                << "K=" << labels << " q=" << q << " width=" << width;
          });
        }
      }
}

// Greedy search by hand: the best label given the labels chosen before.
TEST(BeamSearch, width_one_is_greedy) {
  const RandomSequences random =
      testing::random_sequences({.label_count = 5, .factor_size = 3, .lengths = {12, 8}, .scale = 2}, 3);
  const LabelNgrams& ngrams = *random.ngrams;
  Assignment expected = random.sequences->make_labeling(), labeling = expected;
  BeamSearch beam(ngrams, 1);
  const double score = beam.decode_all(*random.sequences, labeling);
  for (std::size_t s = 0; s < 2; ++s)
    for (std::size_t p = random.sequences->begin(s); p < random.sequences->end(s); ++p) {
      const float* row = ngrams.row(2, ngrams.context(2, expected.data() + p - 2));
      const auto score_of = [&](int k) { return random.sequences->unary(p)[k] + row[k]; };
      for (int k = 1; k < 5; ++k)
        if (score_of(k) > score_of(expected[p])) expected[p] = static_cast<Value>(k);
    }
  EXPECT_EQ(labeling, expected);
  EXPECT_NEAR(score, random.sequences->log_score(expected), 1e-9);
}

TEST(BeamSearch, wider_is_better_on_average_and_never_above_exact) {
  const RandomSequences random = testing::random_sequences(
      {.label_count = 17, .factor_size = 3, .lengths = std::vector<std::uint32_t>(30, 12), .scale = 1}, 9);
  Assignment labeling = random.sequences->make_labeling();
  const double exact = Viterbi(*random.ngrams).decode_all(*random.sequences, labeling);
  double previous = -INFINITY;
  for (int width : {1, 2, 4, 8, 16, 64}) {
    const double score = BeamSearch(*random.ngrams, width).decode_all(*random.sequences, labeling);
    EXPECT_GT(score, previous);
    EXPECT_LE(score, exact + 1e-6);
    previous = score;
  }
}

TEST(BeamSearch, dead_end_is_minus_infinity_with_labels_zero) {
  RandomSequences random = testing::random_sequences({.label_count = 3, .lengths = {4}}, 1);
  std::fill_n(random.sequences->unary(random.sequences->begin(0) + 2), 3, -INFINITY);
  Assignment labeling = random.sequences->make_labeling();
  for (std::size_t p = random.sequences->begin(0); p < random.sequences->end(0); ++p) labeling[p] = 2;
  EXPECT_EQ(BeamSearch(*random.ngrams, 4).decode(*random.sequences, 0, labeling), -INFINITY);
  EXPECT_EQ(labeling, random.sequences->make_labeling());
}

TEST(BeamSearch, refuses_width_zero_and_enormous) {
  EXPECT_THROW(BeamSearch(LabelNgrams(2, 2), 0), UsageError);
  EXPECT_THROW(BeamSearch(LabelNgrams(2, 2), 65536), UsageError);
}

}  // namespace
}  // namespace fovea::sequence
