// SPDX-License-Identifier: Apache-2.0
#include "fovea/synthesis/verify/state_walks.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "tests/support/counting_loop.h"

namespace fovea::synthesis {
namespace {

TEST(StateWalks, ComeByStatesThatRunsReach) {
  const std::vector<ProgramState> states = walk_states(fovea::testing::counting_loop(), 10, 8, {}, Random(1));
  EXPECT_GT(states.size(), 8U);
  std::int64_t furthest = 0;
  for (const ProgramState& state : states) {  // x grows from 0 to at most n
    EXPECT_TRUE(0 <= state[0] && state[0] <= state[1]) << state[0] << ' ' << state[1];
    furthest = std::max(furthest, state[0]);
  }
  EXPECT_GE(furthest, 2);
  EXPECT_LE(furthest, 8);
}

TEST(StateWalks, AreTheSameForOneSeedAndEndWhenStopped) {
  const TransitionSystem loop = fovea::testing::paired_loop();
  EXPECT_EQ(walk_states(loop, 3, 3, {}, Random(2)), walk_states(loop, 3, 3, {}, Random(2)));
  CancelToken cancel;
  cancel.cancel();
  EXPECT_TRUE(walk_states(loop, 3, 3, {.cancel = &cancel}, Random(2)).empty());
}

TEST(StateWalks, ReadBooleans) {
  TransitionSystem flag = {.name = "Inv", .variables = {{"b", Sort::kBoolean}}, .terms = {}};
  const TermId before = flag.terms.variable(0, Sort::kBoolean), after = flag.terms.variable(1, Sort::kBoolean);
  flag.pre = flag.terms.negation(before);
  flag.trans = flag.terms.negation(flag.terms.equal(before, after));
  flag.post = flag.terms.truth(true);
  EXPECT_EQ(walk_states(flag, 1, 5, {}, Random(1)), (std::vector<ProgramState>{{0}, {1}}));
}

}  // namespace
}  // namespace fovea::synthesis
