// SPDX-License-Identifier: Apache-2.0
#include "fovea/graph/task/tree_cost.h"

#include <gtest/gtest.h>

#include <array>
#include <numeric>
#include <vector>

namespace fovea::graph {
namespace {

/// A cycle of variables of this cardinality, eliminated in order.
double seconds_of_cycle(std::size_t length, std::size_t cardinality, EliminationGoal goal, double passes = 1) {
  FactorGraph::Builder builder;
  for (std::size_t v = 0; v < length; ++v) builder.add_variable(cardinality);
  const std::vector<double> table(cardinality * cardinality, 0);
  for (VariableId v = 0; v < length; ++v)
    builder.add_factor(std::array{v, static_cast<VariableId>((v + 1) % length)}, table);
  const FactorGraph graph = builder.build();
  std::vector<VariableId> order(length);
  std::iota(order.begin(), order.end(), VariableId{0});
  return predicted_seconds(ClusterTree(graph, order), goal, passes);
}

TEST(TreeCostTest, GrowsWithTheTables) {
  using enum EliminationGoal;
  for (const EliminationGoal goal : {kMaximum, kPartition, kMarginals})
    EXPECT_NEAR(seconds_of_cycle(100, 200, goal) / seconds_of_cycle(100, 100, goal), 8, 1) << "cubes of values";
  EXPECT_GT(seconds_of_cycle(100, 50, kMarginals), 1.5 * seconds_of_cycle(100, 50, kPartition));
}

/// The fixed cost of a cluster is smaller in later passes.
TEST(TreeCostTest, LaterPassesOfSmallClustersAreCheaper) {
  const double once = seconds_of_cycle(100, 2, EliminationGoal::kPartition);
  EXPECT_LT(seconds_of_cycle(100, 2, EliminationGoal::kPartition, 1000), 400 * once);
  const double large = seconds_of_cycle(100, 200, EliminationGoal::kPartition);
  EXPECT_NEAR(seconds_of_cycle(100, 200, EliminationGoal::kPartition, 1000), 1000 * large, 100 * large);
}

TEST(TreeCostTest, ForecastsUnderABudgetOfCountsAreTheSameEverywhere) {
  EXPECT_EQ(seconds_here(10, {.budget = {.sweeps = 100}}), 10);
  const fovea::Run timed = {.stop = Stop().within(60)};
  EXPECT_EQ(seconds_here(.01, timed), .01);
  EXPECT_DOUBLE_EQ(seconds_here(10, timed), 10 * machine_slowness());
}

TEST(TreeCostTest, TimesTheMachineOnce) {
  const double slowness = machine_slowness();
  EXPECT_GE(slowness, .1);
  EXPECT_LE(slowness, 10);
  EXPECT_EQ(machine_slowness(), slowness);
}

}  // namespace
}  // namespace fovea::graph
