// SPDX-License-Identifier: Apache-2.0
#include "fovea/synthesis/verify/recheck.h"

#include <gtest/gtest.h>

#include <string>

#include "tests/support/counting_loop.h"
#include "tests/support/loop_with_inputs.h"

namespace fovea::synthesis {
namespace {

TEST(Recheck, ProvesWhatIsAnInvariant) {
  const TransitionSystem loop = fovea::testing::counting_loop();
  EXPECT_TRUE(is_proved_by(loop, "(<= x n)"));
  EXPECT_TRUE(is_proved_by(loop, "(and (<= 0 x) (<= x n))"));
}

TEST(Recheck, RefusesWhatFailsOneCondition) {
  const TransitionSystem loop = fovea::testing::counting_loop();
  EXPECT_FALSE(is_proved_by(loop, "(< x n)"));                  // at the start
  EXPECT_FALSE(is_proved_by(loop, "(and (<= x n) (<= x 5))"));  // after a step
  EXPECT_FALSE(is_proved_by(loop, "true"));                     // at the end
}

TEST(Recheck, InputsMayBeAnythingEachTime) {
  const TransitionSystem loop = fovea::testing::loop_with_inputs("(>= x 0)");
  EXPECT_TRUE(is_proved_by(loop, "(>= x 0)"));
  EXPECT_FALSE(is_proved_by(loop, "(and (>= x 0) (<= x 3))"));
  EXPECT_FALSE(is_proved_by(fovea::testing::loop_with_inputs("(distinct x u)"), "(>= x 0)"));
  EXPECT_TRUE(is_proved_by(fovea::testing::loop_with_inputs("(or b (not b))"), "true"));
}

TEST(Recheck, SaysWhetherSomeInputsMakeACondition) {
  const TransitionSystem loop = fovea::testing::loop_with_inputs("(or (< x 2) (distinct u 7))");
  EXPECT_TRUE(can_be(loop, loop.trans, true, std::vector<std::int64_t>{5, 8}));
  EXPECT_FALSE(can_be(loop, loop.trans, true, std::vector<std::int64_t>{5, 9}));
  EXPECT_TRUE(can_be(loop, loop.trans, true, std::vector<std::int64_t>{-5, -4}));
  EXPECT_FALSE(can_be(loop, loop.post, false, std::vector<std::int64_t>{1}));
  EXPECT_TRUE(can_be(loop, loop.post, false, std::vector<std::int64_t>{2}));
}

TEST(Recheck, KnowsRemaindersAndTermsThatAreSharedManyTimes) {
  std::string post = "(let ((y0 (+ x x))) ";  // 2^17 uses of x once it is written out
  for (int i = 1; i < 17; ++i)
    post += "(let ((y" + std::to_string(i) + " (+ y" + std::to_string(i - 1) + " y" + std::to_string(i - 1) + "))) ";
  post += "(= (mod y16 4) 0)" + std::string(17, ')');
  const TransitionSystem loop = fovea::testing::loop_with_inputs(post);
  EXPECT_TRUE(is_proved_by(loop, "true"));
  EXPECT_LT(InvariantProblem(loop).clauses.clauses[2].text.size(), 3000u);
  EXPECT_FALSE(is_proved_by(fovea::testing::loop_with_inputs("(= (mod x 4) 0)"), "true"));
  EXPECT_TRUE(is_proved_by(fovea::testing::loop_with_inputs("(<= (div x 2) x)"), "(>= x 0)"));
}

TEST(Recheck, RefusesWhatIsNoTerm) { EXPECT_FALSE(is_proved_by(fovea::testing::counting_loop(), "(<= x unknown)")); }

TEST(Recheck, TakesVariablesOfAnyName) {
  for (const char* name : {"invariant", "|invariant|", "before_0", "after_1", "|the invariant;|"}) {
    TransitionSystem loop = fovea::testing::counting_loop();
    loop.variables[0].name = name;
    EXPECT_TRUE(is_proved_by(loop, std::string("(<= ") + name + " n)")) << name;
    EXPECT_FALSE(is_proved_by(loop, std::string("(< ") + name + " n)")) << name;
  }
}

TEST(Recheck, ProvesNothingOnceItIsStopped) {
  CancelToken cancel;
  cancel.cancel();
  EXPECT_FALSE(is_proved_by(fovea::testing::counting_loop(), "(<= x n)", {.cancel = &cancel}));
}

}  // namespace
}  // namespace fovea::synthesis
