// SPDX-License-Identifier: Apache-2.0
#include "fovea/exact/beam.h"

#include <gtest/gtest.h>

#include <cmath>

#include "fovea/base/error.h"
#include "fovea/exact/enumeration.h"
#include "fovea/exact/viterbi.h"
#include "tests/support/random_chains.h"

namespace fovea {
namespace {

using testing::RandomChains;

TEST(BeamSearch, wide_beam_vs_enumeration) {
  std::uint32_t seed = 0;
  for (int labels = 2; labels <= 4; ++labels)
    for (int q = 1; q <= 5; ++q)
      for (double density : {.2, 1.0})
        for (double forbidden : {0.0, .15}) {
          const RandomChains random = testing::random_chains({.label_count = labels,
                                                              .factor_size = q,
                                                              .lengths = {1, 0, 6, 3},
                                                              .ngram_density = density,
                                                              .forbidden = forbidden},
                                                             ++seed);
          BeamSearch beam(*random.ngrams, static_cast<int>(ChainStates(*random.ngrams).count()));
          Assignment labeling = random.chains->make_labeling();
          for (std::size_t s = 0; s < random.chains->sequence_count(); ++s) {
            const double best = enumerate(ChainView(*random.chains, s)).best.log_score;
            const double score = beam.decode(*random.chains, s, labeling);
            if (best == -INFINITY) {
              EXPECT_EQ(score, best);
              continue;
            }
            EXPECT_NEAR(score, best, 1e-5);
            EXPECT_NEAR(random.chains->log_score(s, labeling), score, 1e-12);
          }
        }
}

// Greedy search by hand: the best label given the labels chosen before.
TEST(BeamSearch, width_one_is_greedy) {
  const RandomChains random =
      testing::random_chains({.label_count = 5, .factor_size = 3, .lengths = {12, 8}, .scale = 2}, 3);
  const LabelNgrams& ngrams = *random.ngrams;
  Assignment expected = random.chains->make_labeling(), labeling = expected;
  BeamSearch beam(ngrams, 1);
  const double score = beam.decode_all(*random.chains, labeling);
  for (std::size_t s = 0; s < 2; ++s)
    for (std::size_t p = random.chains->begin(s); p < random.chains->end(s); ++p) {
      const float* row = ngrams.row(2, ngrams.context(2, expected.data() + p - 2));
      const auto score_of = [&](int k) { return random.chains->unary(p)[k] + row[k]; };
      for (int k = 1; k < 5; ++k)
        if (score_of(k) > score_of(expected[p])) expected[p] = static_cast<Value>(k);
    }
  EXPECT_EQ(labeling, expected);
  EXPECT_NEAR(score, random.chains->log_score(expected), 1e-9);
}

TEST(BeamSearch, wider_is_better_on_average_and_never_above_exact) {
  const RandomChains random = testing::random_chains(
      {.label_count = 17, .factor_size = 3, .lengths = std::vector<std::uint32_t>(30, 12), .scale = 1}, 9);
  Assignment labeling = random.chains->make_labeling();
  const double exact = Viterbi(*random.ngrams).decode_all(*random.chains, labeling);
  double previous = -INFINITY;
  for (int width : {1, 2, 4, 8, 16, 64}) {
    const double score = BeamSearch(*random.ngrams, width).decode_all(*random.chains, labeling);
    EXPECT_GT(score, previous);
    EXPECT_LE(score, exact + 1e-6);
    previous = score;
  }
}

TEST(BeamSearch, dead_end_is_minus_infinity_with_labels_zero) {
  RandomChains random = testing::random_chains({.label_count = 3, .lengths = {4}}, 1);
  std::fill_n(random.chains->unary(random.chains->begin(0) + 2), 3, -INFINITY);
  Assignment labeling = random.chains->make_labeling();
  for (std::size_t p = random.chains->begin(0); p < random.chains->end(0); ++p) labeling[p] = 2;
  EXPECT_EQ(BeamSearch(*random.ngrams, 4).decode(*random.chains, 0, labeling), -INFINITY);
  EXPECT_EQ(labeling, random.chains->make_labeling());
}

TEST(BeamSearch, refuses_width_zero) { EXPECT_THROW(BeamSearch(LabelNgrams(2, 2), 0), UsageError); }

}  // namespace
}  // namespace fovea
