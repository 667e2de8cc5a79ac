// SPDX-License-Identifier: Apache-2.0
#include "fovea/synthesis/verify/spacer.h"

#include <gtest/gtest.h>

#include "fovea/synthesis/verify/recheck.h"
#include "tests/support/counting_loop.h"

namespace fovea::synthesis {
namespace {

SpacerAnswer by_spacer(const TransitionSystem& system, const Stop& stop) {
  return solve_by_spacer(InvariantProblem(system).clauses, stop);
}

TEST(Spacer, ProvesALoop) {
  const TransitionSystem loop = fovea::testing::counting_loop();
  const SpacerAnswer answer = by_spacer(loop, {});
  ASSERT_EQ(answer.verdict, ProgramVerdict::kProved);
  EXPECT_TRUE(is_proved_by(loop, answer.bodies[0])) << answer.bodies[0];
}

TEST(Spacer, ProvesThatALoopIsWrong) {
  EXPECT_EQ(by_spacer(fovea::testing::counting_loop(3), {}).verdict, ProgramVerdict::kInfeasible);
  EXPECT_EQ(by_spacer(fovea::testing::counting_loop_that_ends_with(2), {}).verdict, ProgramVerdict::kInfeasible);
}

TEST(Spacer, EndsWhenItIsStopped) {
  const SpacerAnswer answer = by_spacer(fovea::testing::paired_loop(), Stop{}.within(.1));
  EXPECT_EQ(answer.verdict, ProgramVerdict::kUnknown);
}

}  // namespace
}  // namespace fovea::synthesis
