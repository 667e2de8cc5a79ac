// SPDX-License-Identifier: Apache-2.0
#include "fovea/sequence/exact/n_best.h"

#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "fovea/base/error.h"
#include "fovea/sequence/exact/forward_backward.h"
#include "tests/support/random_sequences.h"

namespace fovea::sequence {
namespace {

TEST(NBest, scores_vs_enumeration) {
  std::uint32_t seed = 0;
  for (int labels = 2; labels <= 4; ++labels)
    for (int q = 1; q <= 5; ++q)
      for (double density : {.2, 1.0})
        for (double forbidden : {0.0, .15}) {
          const testing::RandomSequences random = testing::random_sequences({.label_count = labels,
                                                                             .factor_size = q,
                                                                             .lengths = {1, 6, 3},
                                                                             .ngram_density = density,
                                                                             .forbidden = forbidden},
                                                                            ++seed);
          const SequenceStates states(*random.ngrams);
          for (std::size_t s = 0; s < 3; ++s) {
            const SequenceView view(*random.sequences, s);
            const std::vector<mcmc::ScoredAssignment> expected = mcmc::enumerate_n_best(view, 20);
            const std::vector<mcmc::ScoredAssignment> found = n_best(states, *random.sequences, s, 20);
            ASSERT_EQ(found.size(), expected.size());
            std::set<Assignment> distinct;
            for (std::size_t i = 0; i < found.size(); ++i) {
              EXPECT_NEAR(found[i].score, expected[i].score, 1e-12);
              EXPECT_NEAR(view.log_score(found[i].values), found[i].score, 1e-12);
              EXPECT_TRUE(distinct.insert(found[i].values).second);
            }
          }
        }
}

TEST(NBest, probabilities_of_all_labelings_sum_to_one) {
  const testing::RandomSequences random = testing::random_sequences({.factor_size = 3, .lengths = {5}}, 3);
  const double log_z = ForwardBackward(*random.ngrams).run(*random.sequences, 0, nullptr, nullptr);
  double sum = 0;
  for (const mcmc::ScoredAssignment& y : n_best(*random.sequences, 0, 1000)) sum += std::exp(y.score - log_z);
  EXPECT_NEAR(sum, 1, 1e-6);
}

/// Next to a score of 1e23 all others vanish: every labeling with that label is as good as the best.
TEST(NBest, ends_among_very_many_equals) {
  testing::RandomSequences random =
      testing::random_sequences({.label_count = 5, .factor_size = 2, .lengths = {200}}, 7);
  random.sequences->unary(random.sequences->begin(0) + 100)[3] = 1e23F;
  const std::vector<mcmc::ScoredAssignment> found = n_best(*random.sequences, 0, 50);
  ASSERT_EQ(found.size(), 50u);
  std::set<Assignment> distinct;
  for (const mcmc::ScoredAssignment& y : found) {
    EXPECT_EQ(y.values[100], 3);
    EXPECT_TRUE(distinct.insert(y.values).second);
  }
}

TEST(NBest, limits) {
  testing::RandomSequences random = testing::random_sequences({.label_count = 2, .lengths = {0, 2}}, 1);
  EXPECT_TRUE(n_best(*random.sequences, 1, 0).empty());
  ASSERT_EQ(n_best(*random.sequences, 0, 5).size(), 1u);
  EXPECT_EQ(n_best(*random.sequences, 0, 5)[0].score, 0);
  std::fill_n(random.sequences->unary(random.sequences->begin(1)), 2, -INFINITY);
  EXPECT_TRUE(n_best(*random.sequences, 1, 5).empty());
  std::mt19937 engine(1);
  const LabelNgrams wide(20, 4,
                         testing::random_ngrams({.label_count = 20, .factor_size = 4, .ngram_density = .5}, engine));
  LabelSequences sequences(wide);
  sequences.reset(std::vector<std::uint32_t>{50'000});
  EXPECT_THROW(n_best(sequences, 0, 2), LimitError);
}

}  // namespace
}  // namespace fovea::sequence
