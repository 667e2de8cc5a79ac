// SPDX-License-Identifier: Apache-2.0
#include "fovea/graph/task/elimination_plan.h"

#include <gmock/gmock.h>

#include "tests/support/expect_error.h"
#include "tests/support/random_graphs.h"

namespace fovea::graph {
namespace {

EliminationPlan plan_of(const FactorGraph& graph, EliminationGoal goal, const Run& run = {}) {
  return plan_elimination(graph, goal, run);
}

TEST(EliminationPlan, SmallTreesFit) {
  const EliminationPlan plan = plan_of(testing::random_grid(6, 6, 2, 1), EliminationGoal::kMaximum);
  EXPECT_TRUE(plan.fits);
  EXPECT_EQ(plan.order.order.size(), 36u);
  EXPECT_THAT(plan.describe(), HasSubstr("fits"));
}

TEST(EliminationPlan, MemoryAndTimeAreLimits) {
  const FactorGraph graph = testing::random_grid(12, 12, 3, 1);
  const EliminationPlan free = plan_of(graph, EliminationGoal::kMarginals);
  ASSERT_TRUE(free.tree.has_value());
  const auto bytes = static_cast<std::uint64_t>(free.bytes);
  EXPECT_FALSE(plan_of(graph, EliminationGoal::kMarginals, {.memory_bytes = bytes / 2}).fits);
  EXPECT_FALSE(plan_of(graph, EliminationGoal::kMarginals, {.stop = Stop().within(free.seconds / 100)}).fits);
}

TEST(EliminationPlan, MarginalsCostMoreThanASum) {
  const FactorGraph graph = testing::random_grid(8, 8, 2, 1);
  const EliminationPlan sum = plan_of(graph, EliminationGoal::kPartition);
  const EliminationPlan marginals = plan_of(graph, EliminationGoal::kMarginals);
  EXPECT_GT(marginals.seconds, sum.seconds);
  EXPECT_GT(marginals.bytes, sum.bytes);
}

TEST(EliminationPlan, HopelessWidthsHaveAnOrderButNoTree) {
  const EliminationPlan plan = plan_of(testing::random_grid(30, 30, 3, 1), EliminationGoal::kMaximum);
  EXPECT_TRUE(plan.order.found());
  EXPECT_FALSE(plan.tree.has_value());
  EXPECT_FALSE(plan.fits);
  EXPECT_THAT(plan.describe(), HasSubstr("hopeless"));
}

}  // namespace
}  // namespace fovea::graph
