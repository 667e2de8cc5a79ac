// SPDX-License-Identifier: Apache-2.0
#include "fovea/gestures/choice_network.h"

#include <gtest/gtest.h>

namespace fovea::gestures {
namespace {

/// The meant word is the one whose second and third number have the same sign: no linear score can find it.
std::vector<WordChoice> choices_by_signs(int count, Random random) {
  std::vector<WordChoice> choices;
  for (int n = 0; n < count; ++n) {
    WordChoice choice;
    choice.meant = random.uniform_index(4);
    for (std::size_t i = 0; i < 4; ++i) {
      const float first = random.bernoulli(.5) ? 1.F : -1.F;
      WordView view{};
      view[1] = first;
      view[2] = i == choice.meant ? first : -first;
      choice.views.push_back(view);
    }
    choices.push_back(choice);
  }
  return choices;
}

TEST(ChoiceNetworkTest, LearnsWhatNoLinearScoreTells) {
  ChoiceNetwork network;
  const double log_likelihood = network.learn(choices_by_signs(600, Random(1)), 20, {.random = Random(2)});
  EXPECT_GT(log_likelihood, -.1);
  int right = 0;
  for (const WordChoice& choice : choices_by_signs(100, Random(3))) {
    std::size_t best = 0;
    for (std::size_t i = 1; i < 4; ++i)
      if (network.score(choice.views[i]) > network.score(choice.views[best])) best = i;
    right += best == choice.meant ? 1 : 0;
  }
  EXPECT_GT(right, 95);
}

TEST(ChoiceNetworkTest, UntrainedItIsTheScoreOfThePath) {
  WordView view{};
  view[0] = -3.5F;
  view[7] = 2;
  EXPECT_EQ(ChoiceNetwork().score(view), -3.5F);
}

}  // namespace
}  // namespace fovea::gestures
