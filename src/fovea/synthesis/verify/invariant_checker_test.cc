// SPDX-License-Identifier: Apache-2.0
#include "fovea/synthesis/verify/invariant_checker.h"

#include <gtest/gtest.h>

#include "fovea/synthesis/program/term.h"
#include "tests/support/counting_loop.h"

namespace fovea::synthesis {
namespace {

using Outcome = InvariantChecker::Outcome;

constexpr std::int64_t kPreferredSize = 10;

Dnf conjunction_of(std::vector<Atom> atoms) { return {.disjuncts = {std::move(atoms)}}; }

TEST(InvariantChecker, AcceptsAnInvariant) {
  const TransitionSystem loop = fovea::testing::counting_loop();
  InvariantChecker checker(loop, kPreferredSize);
  const InvariantChecker::Verdict verdict = checker.check(conjunction_of({{{1, -1}, 0}}), 1);
  EXPECT_EQ(verdict.outcome, Outcome::kHolds);
  EXPECT_TRUE(verdict.good.empty() && verdict.bad.empty() && verdict.implications.empty());
  EXPECT_GE(checker.calls(), 3u);
}

TEST(InvariantChecker, FindsStartStatesThatAreExcluded) {
  const TransitionSystem loop = fovea::testing::counting_loop();
  const Dnf nothing;
  const InvariantChecker::Verdict verdict = InvariantChecker(loop, kPreferredSize).check(nothing);
  EXPECT_EQ(verdict.outcome, Outcome::kFails);
  ASSERT_EQ(verdict.good.size(), 1u);
  EXPECT_TRUE(TermEvaluator(loop.terms, loop.pre).holds(verdict.good[0]));
  EXPECT_LE(verdict.good[0][1], kPreferredSize);
  EXPECT_TRUE(verdict.bad.empty());
}

TEST(InvariantChecker, FindsStatesThatAreNotAllowed) {
  const TransitionSystem loop = fovea::testing::counting_loop();
  const InvariantChecker::Verdict verdict = InvariantChecker(loop, kPreferredSize).check(conjunction_of({}), 1);
  EXPECT_EQ(verdict.outcome, Outcome::kFails);
  ASSERT_EQ(verdict.bad.size(), 2u);
  EXPECT_NE(verdict.bad[0], verdict.bad[1]);
  for (const ProgramState& state : verdict.bad) EXPECT_GT(state[0], state[1]);
  EXPECT_TRUE(verdict.implications.empty());
}

TEST(InvariantChecker, FindsStepsThatLeaveACandidate) {
  const TransitionSystem loop = fovea::testing::counting_loop();
  const Dnf candidate = conjunction_of({{{1, -1}, 0}, {{1, 0}, 5}});  // x <= n and x <= 5
  const InvariantChecker::Verdict verdict = InvariantChecker(loop, kPreferredSize).check(candidate);
  EXPECT_EQ(verdict.outcome, Outcome::kFails);
  ASSERT_EQ(verdict.implications.size(), 1u);
  EXPECT_EQ(verdict.implications[0].from[0], 5);
  EXPECT_EQ(verdict.implications[0].to[0], 6);
  EXPECT_TRUE(verdict.good.empty() && verdict.bad.empty());
}

TEST(InvariantChecker, TestsTheStart) {
  const TransitionSystem right = fovea::testing::counting_loop(), wrong = fovea::testing::counting_loop(3);
  EXPECT_EQ(InvariantChecker(right, kPreferredSize).check_start().outcome, Outcome::kHolds);
  const InvariantChecker::StartVerdict verdict = InvariantChecker(wrong, kPreferredSize).check_start();
  EXPECT_EQ(verdict.outcome, Outcome::kFails);
  ASSERT_TRUE(verdict.state);
  EXPECT_EQ((*verdict.state)[0], 3);
  EXPECT_LT((*verdict.state)[1], 3);
}

TEST(InvariantChecker, DoesNotKnowOnceItIsStopped) {
  const TransitionSystem loop = fovea::testing::counting_loop();
  CancelToken cancel;
  cancel.cancel();
  InvariantChecker checker(loop, kPreferredSize);
  checker.limit({.cancel = &cancel}, 1000);
  EXPECT_EQ(checker.check(conjunction_of({{{1, -1}, 0}})).outcome, Outcome::kUnknown);
  EXPECT_EQ(checker.calls(), 0u);
}

}  // namespace
}  // namespace fovea::synthesis
