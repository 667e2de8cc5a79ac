// SPDX-License-Identifier: Apache-2.0
#include "fovea/synthesis/invariant/remainders.h"

#include <gtest/gtest.h>

#include "fovea/synthesis/input/sygus.h"
#include "fovea/synthesis/verify/recheck.h"
#include "tests/support/counting_loop.h"

namespace fovea::synthesis {
namespace {

TransitionSystem by_threes() {
  return read_sygus(io::ByteSource::from_memory(
      "(synth-inv Inv ((b Bool) (x Int)))(declare-var u Int)(define-fun pre ((b Bool) (x Int)) Bool (= x 9))"
      "(define-fun step ((b Bool) (x Int) (b! Bool) (x! Int)) Bool (= x! (+ x (ite (> u 0) 3 0) -3)))"
      "(define-fun step2 ((b Bool) (x Int) (b! Bool) (x! Int)) Bool (or (= x! (- x 3)) (and (= x! x) (> u 1))))"
      "(define-fun post ((b Bool) (x Int)) Bool (distinct x 7))(inv-constraint Inv pre step2 post)",
      "file"));
}

TEST(Remainders, AreThoseThatStepsSuggest) {
  const WithRemainders extended = with_remainders(by_threes());
  ASSERT_EQ(extended.remainders.size(), 1u);
  EXPECT_EQ(extended.remainders[0].variable, 1u);
  EXPECT_EQ(extended.remainders[0].divisor, 3);
  EXPECT_TRUE(with_remainders(fovea::testing::counting_loop()).remainders.empty());
}

TEST(Remainders, FollowTheirVariables) {
  const WithRemainders extended = with_remainders(by_threes());
  const TransitionSystem& system = extended.system;
  const auto holds = [&](TermId term, std::vector<std::int64_t> values) {
    return TermEvaluator(system.terms, term).holds(values);
  };
  EXPECT_TRUE(holds(system.pre, {0, 9, 0}));
  EXPECT_FALSE(holds(system.pre, {0, 9, 1}));
  EXPECT_TRUE(holds(system.trans, {0, 8, 2, 1, 5, 2, 0}));
  EXPECT_FALSE(holds(system.trans, {0, 8, 2, 1, 5, 1, 0}));
  EXPECT_TRUE(holds(system.trans, {0, 8, 2, 1, 8, 2, 2}));  // the input is the last variable
  EXPECT_FALSE(holds(system.trans, {0, 8, 2, 1, 8, 2, 1}));
  EXPECT_FALSE(holds(system.post, {0, 7, 1}));
  EXPECT_TRUE(holds(system.post, {0, 7, 0}));  // no state of a run
}

TEST(Remainders, BecomeCongruencesOfTheProgram) {
  const TransitionSystem program = by_threes();
  const std::string body = with_remainders(program).over_program("(<= !remainder0 0)");
  EXPECT_EQ(body, "(let ((!remainder0 (mod x 3))) (<= !remainder0 0))");
  EXPECT_TRUE(is_proved_by(program, body));
}

}  // namespace
}  // namespace fovea::synthesis
