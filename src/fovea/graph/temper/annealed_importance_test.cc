// SPDX-License-Identifier: Apache-2.0
#include "fovea/graph/temper/annealed_importance.h"

#include <gtest/gtest.h>

#include <cmath>

#include "tests/support/enumerate_graph.h"
#include "tests/support/random_graphs.h"
#include "tests/support/statistics.h"

namespace fovea::graph {
namespace {

/// The estimate is off by more than z standard errors with probability below kFalseFailureRate for a normal law: z =
/// 4.9. With 2000 chains of light-tailed weights the mean is normal to a good approximation.
constexpr double kStandardErrors = 4.9;

class AnnealedImportanceTest : public ::testing::TestWithParam<int> {};

TEST_P(AnnealedImportanceTest, AgreesWithEnumeration) {
  const auto seed = static_cast<std::uint32_t>(GetParam());
  const FactorGraph graph = testing::random_graph(
      {.variable_count = 6, .factor_count = 10, .min_arity = 0, .forbidden = seed % 2 ? .15 : 0, .is_feasible = true},
      seed);
  AnnealedImportance importance(graph, Random(seed), 20);
  importance.run(2000);
  const LogPartitionEstimate estimate = importance.estimate();
  EXPECT_EQ(estimate.chains, 2000u);
  EXPECT_LT(estimate.standard_error, .1);
  EXPECT_NEAR(estimate.log_z, testing::enumerate_graph(graph).log_z, kStandardErrors * estimate.standard_error);
}

INSTANTIATE_TEST_SUITE_P(Seeds, AnnealedImportanceTest, ::testing::Range(1, 9));

TEST(AnnealedImportanceTest, ASingleStepIsPlainImportanceSampling) {
  FactorGraph::Builder builder;
  builder.add_variable(2);
  builder.add_factor(std::vector<VariableId>{0}, std::vector<double>{std::log(3.0), std::log(3.0)});
  const FactorGraph graph = builder.build();
  AnnealedImportance importance(graph, Random(1), 1);
  importance.run(10);
  EXPECT_NEAR(importance.estimate().log_z, std::log(6.0), 1e-12);
  EXPECT_NEAR(importance.estimate().standard_error, 0, 1e-7);
  EXPECT_NEAR(importance.estimate().effective_chains, 10, 1e-9);
}

TEST(AnnealedImportanceTest, RunsInPartsAndStopsBetweenChains) {
  const FactorGraph graph = testing::random_grid(4, 4, 2, 1);
  AnnealedImportance parts(graph, Random(1), 10), whole(graph, Random(1), 10);
  parts.run(5);
  parts.run(12);
  whole.run(12);
  EXPECT_EQ(parts.estimate().log_z, whole.estimate().log_z);
  AnnealedImportance stopped(graph, Random(1), 10);
  EXPECT_EQ(stopped.run(5, {.deadline = Stop::Clock::time_point::min()}), Work{});
  EXPECT_EQ(stopped.estimate().chains, 0u);
  EXPECT_TRUE(std::isinf(stopped.estimate().standard_error));
}

}  // namespace
}  // namespace fovea::graph
