// SPDX-License-Identifier: Apache-2.0
#include "fovea/sequence/policy/policy_choice.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "fovea/base/error.h"
#include "tests/support/random_sequences.h"

namespace fovea::sequence {
namespace {

testing::RandomSequences coupled(std::size_t count) {
  return testing::random_sequences({.lengths = std::vector<std::uint32_t>(count, 12), .scale = 2, .ngram_density = .9},
                                   5);
}

/// Visits the site sampled least; or, turned round, the one sampled most, for ever.
ValueFunction by_times_sampled(float sign) {
  ValueFunction value(meta_feature_count(3));
  value.alpha[kSp] = -sign;
  value.w = 1;
  return value;
}

TEST(PolicyChoiceTest, TheSameOrderGainsNothing) {
  const auto made = coupled(40);
  const OrderGain gain = gain_over_cyclic(*made.sequences, by_times_sampled(1), {}, Random(1));
  EXPECT_EQ(gain.mean, 0);
  EXPECT_EQ(gain.error, 0);
}

TEST(PolicyChoiceTest, AnOrderThatSticksToOneSiteLoses) {
  const auto made = coupled(40);
  const OrderGain gain = gain_over_cyclic(*made.sequences, by_times_sampled(-1), {}, Random(1));
  EXPECT_GT(gain.error, 0);
  EXPECT_LT(gain.mean, -5 * gain.error);
}

TEST(PolicyChoiceTest, TakesTheBestCandidate) {
  const auto made = coupled(60);
  // At the paper's rate, learning from few sequences fails from some seeds.
  const PolicyLearnerOptions risky = {.epochs = 1, .rate = 1, .delta = 1e-4, .expected_rewards = false};
  const ChosenPolicy chosen = choose_policy(*made.sequences, {}, risky, {.seeds = 4}, {.random = Random(3)});
  ASSERT_EQ(chosen.tried.size(), 8U);
  EXPECT_EQ(chosen.gain.mean, *std::ranges::max_element(chosen.tried));
  EXPECT_GT(chosen.gain.mean, *std::ranges::min_element(chosen.tried));
  const auto best = static_cast<int>(std::ranges::max_element(chosen.tried) - chosen.tried.begin());
  EXPECT_EQ(chosen.horizon, best % 2);
  // The value function is the one that was measured, on every fifth sequence.
  LabelSequences aside(*made.ngrams);
  aside.reset(std::vector<std::uint32_t>(12, 12));
  for (std::size_t i = 0; i < 12; ++i) {
    const std::size_t from = made.sequences->begin(5 * i + 4);
    std::copy(made.sequences->unary(from), made.sequences->unary(from + 12), aside.unary(aside.begin(i)));
  }
  EXPECT_EQ(gain_over_cyclic(aside, chosen.value, {}, Random(3).child("judge")).mean, chosen.gain.mean);
}

TEST(PolicyChoiceTest, OneSeedOrFewSequencesLearnOnceFromAll) {
  const auto few = coupled(4);
  EXPECT_EQ(choose_policy(*few.sequences, {}, {}, {.seeds = 3}, {}).tried.size(), 1U);
  const auto made = coupled(20);
  const ChosenPolicy once = choose_policy(*made.sequences, {}, {.horizon = 1}, {.seeds = 1}, {});
  EXPECT_EQ(once.tried.size(), 1U);
  EXPECT_EQ(once.horizon, 1);
  EXPECT_EQ(choose_policy(*made.sequences, {}, {.horizon = 0}, {.seeds = 2}, {}).tried.size(), 2U);
  EXPECT_THROW(choose_policy(*made.sequences, {}, {}, {.seeds = 0}, {}), UsageError);
}

}  // namespace
}  // namespace fovea::sequence
