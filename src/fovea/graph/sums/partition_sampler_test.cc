// SPDX-License-Identifier: Apache-2.0
#include "fovea/graph/sums/partition_sampler.h"

#include <gtest/gtest.h>

#include <cmath>

#include "tests/support/enumerate_graph.h"
#include "tests/support/random_graphs.h"

namespace fovea::graph {
namespace {

/// Six standard errors of a mean of 32 weights: their law is not normal, so this is generous.
constexpr double kStandardErrors = 6;

TEST(PartitionSampler, RoundsComeCloserToEnumeration) {
  const FactorGraph graph = testing::random_grid(3, 3, 2, 1);
  PartitionSampler sampler(graph, Random(7));
  EXPECT_TRUE(std::isinf(sampler.estimate().standard_error));
  sampler.run_round({});
  const double first = sampler.estimate().standard_error;
  for (int round = 1; round < 7; ++round) {
    const double predicted = sampler.next_transitions();
    EXPECT_EQ(static_cast<double>(sampler.run_round({}).transitions), predicted);
  }
  EXPECT_EQ(sampler.temperatures(), 1024u);
  EXPECT_LT(sampler.estimate().standard_error, first / 2);
  EXPECT_NEAR(sampler.estimate().log_z, testing::enumerate_graph(graph).log_z,
              kStandardErrors * sampler.estimate().standard_error);
}

TEST(PartitionSampler, ARoundThatIsCutShortDoesNotCount) {
  const FactorGraph graph = testing::random_grid(3, 3, 2, 1);
  PartitionSampler sampler(graph, Random(7));
  sampler.run_round({.deadline = Stop::Clock::time_point::min()});
  EXPECT_EQ(sampler.temperatures(), 0u);
  EXPECT_TRUE(std::isinf(sampler.estimate().standard_error));
}

}  // namespace
}  // namespace fovea::graph
