// SPDX-License-Identifier: Apache-2.0
#include "fovea/synthesis/formula_search/chain_choice.h"

#include <gtest/gtest.h>

#include "fovea/base/random.h"

namespace fovea::synthesis {
namespace {

/// Number of turns that each of three searches gets, of which the second finds an answer in 1 of 5 turns and the others
/// never do.
std::vector<int> turns_of_three(int turns) {
  Random random(1);
  ChainChoice choice(3);
  std::vector<int> counts(3);
  for (int i = 0; i < turns; ++i) {
    const std::size_t chosen = choice.next(random);
    ++counts[chosen];
    choice.note(chosen, 8192, chosen == 1 && random.bernoulli(.2));
  }
  return counts;
}

TEST(ChainChoiceTest, WhatWorksGoesOn) {
  const std::vector<int> counts = turns_of_three(3000);
  EXPECT_GT(counts[1], 2500);
  EXPECT_GT(counts[0], 0);
  EXPECT_GT(counts[2], 0);
}

TEST(ChainChoiceTest, WhatHasWorkedGivesWayWhenItFails) {
  Random random(2);
  ChainChoice choice(2);
  for (int i = 0; i < 30; ++i) choice.note(0, 1000, true);
  std::vector<int> counts(2);
  for (int i = 0; i < 3000; ++i) {
    const std::size_t chosen = choice.next(random);
    ++counts[chosen];
    choice.note(chosen, 8192, false);
  }
  EXPECT_GT(counts[1], 150);
}

}  // namespace
}  // namespace fovea::synthesis
