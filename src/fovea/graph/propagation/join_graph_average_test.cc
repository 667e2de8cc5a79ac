// SPDX-License-Identifier: Apache-2.0
#include "fovea/graph/propagation/join_graph_average.h"

#include <gtest/gtest.h>

#include <cmath>

#include "fovea/base/error.h"
#include "fovea/base/log_math.h"
#include "tests/support/enumerate_graph.h"
#include "tests/support/random_graphs.h"
#include "tests/support/two_modes.h"

namespace fovea::graph {
namespace {

double total_gap(const std::vector<std::vector<double>>& a, const std::vector<std::vector<double>>& b) {
  double gap = 0;
  for (std::size_t v = 0; v < a.size(); ++v)
    for (std::size_t k = 0; k < a[v].size(); ++k) gap += std::abs(a[v][k] - b[v][k]);
  return gap;
}

TEST(JoinGraphAverageTest, IsExactAfterARoundWhereClustersAreLargeEnough) {
  for (std::uint32_t seed = 0; seed < 30; ++seed) {
    const FactorGraph graph = testing::random_graph(
        {.variable_count = 1 + seed % 7, .factor_count = seed % 12, .forbidden = 0.1, .is_feasible = true}, seed);
    const testing::EnumeratedGraph exact = testing::enumerate_graph(graph);
    JoinGraphAverage average(graph, {.max_entries = 1e9}, Random(seed));
    average.run(3);
    EXPECT_TRUE(average.is_exact()) << "seed " << seed;
    EXPECT_EQ(average.rounds(), 1u) << "seed " << seed;
    EXPECT_LT(total_gap(average.marginals(), exact.marginals), 1e-9) << "seed " << seed;
    EXPECT_NEAR(average.log_partition(), exact.log_z, 1e-9) << "seed " << seed;
  }
}

TEST(JoinGraphAverageTest, ComesCloserThanTheAverageRound) {
  double single_gap = 0, average_gap = 0;
  for (std::uint32_t seed = 0; seed < 5; ++seed) {
    const FactorGraph graph = testing::random_grid(4, 4, 2, seed, 0.8);
    const testing::EnumeratedGraph exact = testing::enumerate_graph(graph);
    const JoinGraphAverageOptions options = {.max_entries = 8, .iterations = 40, .propagation = {.damping = 0.3}};
    JoinGraphAverage average(graph, options, Random(seed));
    average.run(6);
    EXPECT_EQ(average.rounds(), 6u);
    average_gap += total_gap(average.marginals(), exact.marginals);
    for (std::uint64_t i = 0; i < 6; ++i) {
      JoinGraphAverage single(graph, options, Random(seed + 100 * (i + 1)));
      single.run(1);
      single_gap += total_gap(single.marginals(), exact.marginals) / 6;
    }
  }
  EXPECT_LT(average_gap, single_gap);
}

TEST(JoinGraphAverageTest, SeveralRunsEqualOneAlsoAfterAStop) {
  CancelToken cancel;
  cancel.cancel();
  const FactorGraph graph = testing::random_grid(5, 5, 2, 3);
  JoinGraphAverage once(graph, {.max_entries = 8}, Random(1)), twice(graph, {.max_entries = 8}, Random(1));
  once.run(4);
  twice.run(4, {.cancel = &cancel});
  EXPECT_EQ(twice.rounds(), 0u);
  EXPECT_EQ(twice.log_partition(), kInfinity);
  twice.run(1);
  twice.run(3);
  EXPECT_EQ(once.marginals(), twice.marginals());
  EXPECT_EQ(once.log_partition(), twice.log_partition());
}

TEST(JoinGraphAverageTest, FindsThatConstraintsContradictEachOther) {
  const FactorGraph graph = testing::contradiction();
  JoinGraphAverage average(graph, {.max_entries = 4}, Random(1));
  average.run(3);
  EXPECT_TRUE(average.is_infeasible());
  EXPECT_EQ(average.log_partition(), -kInfinity);
}

TEST(JoinGraphAverageTest, RefusesOptionsOutOfRange) {
  const FactorGraph graph = testing::random_grid(2, 2, 2, 5);
  EXPECT_THROW(JoinGraphAverage(graph, {.max_entries = 0}, Random(1)), UsageError);
  EXPECT_THROW(JoinGraphAverage(graph, {.iterations = 0}, Random(1)), UsageError);
  EXPECT_THROW(JoinGraphAverage(graph, {.propagation = {.damping = 1}}, Random(1)), UsageError);
}

}  // namespace
}  // namespace fovea::graph
