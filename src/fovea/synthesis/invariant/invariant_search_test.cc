// SPDX-License-Identifier: Apache-2.0
#include "fovea/synthesis/invariant/invariant_search.h"

#include <gtest/gtest.h>

#include "fovea/synthesis/verify/recheck.h"
#include "tests/support/counting_loop.h"

namespace fovea {
namespace {

using InvariantOutcome = InvariantAnswer::Outcome;

/// The counting loop with another condition on its end.
TransitionSystem loop_that_must_end_with(std::int64_t first, std::int64_t most) {
  TransitionSystem loop = fovea::testing::counting_loop(first);
  loop.post = loop.terms.at_most(loop.terms.variable(0, Sort::kInteger), loop.terms.number(most));
  return loop;
}

TEST(InvariantSearch, ProvesALoop) {
  const TransitionSystem loop = fovea::testing::counting_loop();
  for (const std::uint64_t seed : {1, 2, 3}) {
    const InvariantAnswer answer = find_invariant(loop, {.seed = seed}, Stop{}.within(60));
    ASSERT_EQ(answer.outcome, InvariantOutcome::kProved);
    EXPECT_TRUE(is_proved_by(loop, answer.body, 10'000)) << answer.body;
    EXPECT_GE(answer.rounds, 1u);
    EXPECT_GE(answer.examples, 1u);
    EXPECT_GE(answer.solver_calls, 4u);
  }
}

TEST(InvariantSearch, NamesAStartStateThatIsNotAllowed) {
  const InvariantAnswer answer = find_invariant(fovea::testing::counting_loop(3), {}, Stop{}.within(60));
  EXPECT_EQ(answer.outcome, InvariantOutcome::kInfeasible);
  EXPECT_FALSE(answer.is_start_allowed);
  ASSERT_TRUE(answer.unsafe_start);
  EXPECT_LT((*answer.unsafe_start)[1], 3);
}

TEST(InvariantSearch, NamesTheStartOfARunThatBreaksThePostcondition) {
  const InvariantAnswer answer = find_invariant(loop_that_must_end_with(0, 2), {}, Stop{}.within(60));
  ASSERT_EQ(answer.outcome, InvariantOutcome::kInfeasible);
  EXPECT_TRUE(answer.is_start_allowed);
  ASSERT_TRUE(answer.unsafe_start);
  EXPECT_EQ((*answer.unsafe_start)[0], 0);
  EXPECT_GT((*answer.unsafe_start)[1], 2);  // x grows to n
}

TEST(InvariantSearch, CountsBooleansAsNumbers) {
  TransitionSystem flag = {.name = "Inv", .variables = {{"b", Sort::kBoolean}}, .terms = {}};
  const TermId before = flag.terms.variable(0, Sort::kBoolean), after = flag.terms.variable(1, Sort::kBoolean);
  flag.pre = flag.post = before;
  flag.trans = flag.terms.equal(before, after);
  const InvariantAnswer answer = find_invariant(flag, {}, Stop{}.within(60));
  ASSERT_EQ(answer.outcome, InvariantOutcome::kProved);
  EXPECT_TRUE(is_proved_by(flag, answer.body, 10'000)) << answer.body;
}

TEST(InvariantSearch, KnowsNothingOnceItIsStopped) {
  CancelToken cancel;
  cancel.cancel();
  const InvariantAnswer answer = find_invariant(fovea::testing::counting_loop(), {}, Stop{.cancel = &cancel});
  EXPECT_EQ(answer.outcome, InvariantOutcome::kUnknown);
  EXPECT_EQ(answer.rounds, 0u);
}

}  // namespace
}  // namespace fovea
