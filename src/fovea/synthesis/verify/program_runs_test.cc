// SPDX-License-Identifier: Apache-2.0
#include "fovea/synthesis/verify/program_runs.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "tests/support/counting_loop.h"
#include "tests/support/loop_with_inputs.h"

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

namespace {

TEST(UnsafeRun, IsEvaluated) {
  const TransitionSystem loop = fovea::testing::counting_loop_that_ends_with(2);
  EXPECT_TRUE(is_unsafe_run(loop, UnsafeRun{{0, 4}, {1, 4}, {2, 4}, {3, 4}}));
  EXPECT_FALSE(is_unsafe_run(loop, {}));
  EXPECT_FALSE(is_unsafe_run(loop, UnsafeRun{{0, 4}, {1, 4}, {2, 4}}));          // it ends where it may
  EXPECT_FALSE(is_unsafe_run(loop, UnsafeRun{{1, 4}, {2, 4}, {3, 4}}));          // does not begin at a start state
  EXPECT_FALSE(is_unsafe_run(loop, UnsafeRun{{0, 4}, {1, 4}, {3, 4}}));          // takes two steps at once
  EXPECT_FALSE(is_unsafe_run(loop, UnsafeRun{{0, 2}, {1, 2}, {2, 2}, {3, 2}}));  // goes on where the loop ends
}

TEST(UnsafeRun, IsFoundShortest) {
  const TransitionSystem loop = fovea::testing::counting_loop_that_ends_with(2);
  const UnsafeRun run = find_unsafe_run(loop, 10, {});
  EXPECT_EQ(run.size(), 4u);
  EXPECT_TRUE(is_unsafe_run(loop, run));
  EXPECT_THAT(find_unsafe_run(loop, 2, {}), ::testing::IsEmpty());  // three steps are needed
  EXPECT_EQ(find_unsafe_run(fovea::testing::counting_loop(3), 0, {}).size(), 1u);
}

TEST(UnsafeRun, MayChooseInputsAtEachStep) {
  const TransitionSystem loop = fovea::testing::loop_with_inputs("(<= x 4)");
  EXPECT_TRUE(is_unsafe_run(loop, UnsafeRun{{0}, {3}, {5}}));
  EXPECT_FALSE(is_unsafe_run(loop, UnsafeRun{{0}, {4}, {5}}));
  EXPECT_FALSE(is_unsafe_run(loop, UnsafeRun{{0}, {3}, {5}}, Stop{}.within(0))) << "not known in time";
  EXPECT_FALSE(is_unsafe_run(loop, UnsafeRun{{0}, {3}, {4}}));
  const UnsafeRun run = find_unsafe_run(loop, 10, {});
  EXPECT_EQ(run.size(), 3u)
      << "the same input at each step would do, but one for the start and the end as well would not";
  EXPECT_TRUE(is_unsafe_run(loop, run));
  EXPECT_EQ(find_unsafe_run(fovea::testing::loop_with_inputs("(distinct x u)"), 0, {}), (UnsafeRun{{0}}));
}

TEST(UnsafeRun, ReadsBooleans) {
  TransitionSystem flag = {.name = "Inv", .variables = {{"b", Sort::kBoolean}}, .terms = {}};
  flag.pre = flag.post = flag.terms.variable(0, Sort::kBoolean);
  flag.trans = flag.terms.negation(flag.terms.variable(1, Sort::kBoolean));
  EXPECT_EQ(find_unsafe_run(flag, 5, {}), (UnsafeRun{{1}, {0}}));
}

TEST(UnsafeRun, IsNotSoughtForEver) {
  EXPECT_THAT(find_unsafe_run(fovea::testing::paired_loop(), static_cast<std::size_t>(-1), Stop{}.within(.1)),
              ::testing::IsEmpty());
}

}  // namespace

}  // namespace fovea::synthesis
