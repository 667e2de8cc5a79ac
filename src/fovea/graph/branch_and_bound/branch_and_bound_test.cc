// SPDX-License-Identifier: Apache-2.0
#include "fovea/graph/branch_and_bound/branch_and_bound.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "fovea/base/error.h"
#include "tests/support/enumerate_graph.h"
#include "tests/support/random_graphs.h"

namespace fovea::graph {
namespace {

std::vector<VariableId> random_order(const FactorGraph& graph, std::uint32_t seed) {
  std::vector<VariableId> order(graph.variable_count());
  for (VariableId v = 0; v < order.size(); ++v) order[v] = v;
  std::shuffle(order.begin(), order.end(), std::mt19937(seed));
  return order;
}

/// The memory limits go down to a handful of entries, so that buckets are cut and the cache forgets.
TEST(BranchAndBound, proves_the_maximum_vs_enumeration) {
  for (std::uint32_t seed = 0; seed < 200; ++seed) {
    SCOPED_TRACE(seed);
    const FactorGraph graph = testing::random_graph({.variable_count = seed % 9,
                                                     .factor_count = 3 + seed % 17,
                                                     .min_cardinality = 1,
                                                     .max_cardinality = 4,
                                                     .min_arity = 0,
                                                     .max_arity = 1 + seed % 4,
                                                     .scale = seed % 5 == 0 ? 30.0 : 1.0,
                                                     .forbidden = seed % 3 == 0 ? .4 : 0},
                                                    seed);
    const ScoredAssignment expected = testing::enumerate_graph(graph).best;
    BranchAndBound search(graph, random_order(graph, seed), {.memory_bytes = std::size_t{400} << (seed % 4)});
    while (!search.is_finished()) {
      search.run(1 + seed % 50, {});
      EXPECT_GE(search.upper_bound(), expected.score - search.tolerance());
      EXPECT_LE(search.best().score, expected.score + search.tolerance());
    }
    ASSERT_EQ(search.best().found(), expected.found());
    if (!expected.found()) continue;
    EXPECT_NEAR(search.best().score, expected.score, search.tolerance());
    EXPECT_NEAR(search.upper_bound(), expected.score, 2 * search.tolerance());
    EXPECT_EQ(graph.log_score(search.best().values), search.best().score);
  }
}

TEST(BranchAndBound, counts_nodes_the_same_every_time) {
  const FactorGraph graph =  // dense, so that small tables bound it badly
      testing::random_graph({.variable_count = 25, .factor_count = 300, .min_arity = 2, .max_arity = 2}, 11);
  std::vector<std::uint64_t> counts;
  for (int i = 0; i < 2; ++i) {
    BranchAndBound search(graph, random_order(graph, 1), {.memory_bytes = 5000});
    counts.push_back(search.run(300, {}).transitions);
    counts.push_back(search.run(300, {}).transitions);
  }
  EXPECT_GE(counts[0], 300u);
  EXPECT_EQ(counts[0], counts[2]);
  EXPECT_EQ(counts[1], counts[3]);
}

TEST(BranchAndBound, an_offered_optimum_leaves_only_the_proof) {
  const FactorGraph grid = testing::random_grid(4, 4, 2, 3);
  const std::vector<VariableId> order = random_order(grid, 2);
  BranchAndBound alone(grid, order, {.memory_bytes = 200});
  const std::uint64_t nodes_alone = alone.run(1'000'000, {}).transitions;
  ASSERT_TRUE(alone.is_finished());
  BranchAndBound informed(grid, order, {.memory_bytes = 200});
  informed.offer(alone.best());
  informed.offer({.values = Assignment(16, 0), .score = grid.log_score(Assignment(16, 0))});
  EXPECT_EQ(informed.best().values, alone.best().values);
  EXPECT_LE(informed.run(1'000'000, {}).transitions, nodes_alone);
  EXPECT_TRUE(informed.is_finished());
}

TEST(BranchAndBound, is_not_set_up_once_stop_is_requested) {
  const FactorGraph grid = testing::random_grid(4, 4, 2, 3);
  const Stop at_once = {.deadline = Stop::Clock::time_point::min()};
  EXPECT_THROW(BranchAndBound(grid, random_order(grid, 2), {}, at_once), LimitError);
}

TEST(BranchAndBound, says_when_nothing_is_possible) {
  FactorGraph::Builder builder;
  const VariableId a = builder.add_variable(2), b = builder.add_variable(2);
  builder.add_factor(std::vector{a, b}, std::vector<double>{0, -INFINITY, -INFINITY, 0});
  builder.add_factor(std::vector{a, b}, std::vector<double>{-INFINITY, 0, 0, -INFINITY});
  const FactorGraph graph = builder.build();
  BranchAndBound search(graph, random_order(graph, 1));
  search.run(100, {});
  EXPECT_TRUE(search.is_finished());
  EXPECT_FALSE(search.best().found());
  EXPECT_EQ(search.upper_bound(), -INFINITY);
}

TEST(BranchAndBound, stops_at_once_and_refuses_what_does_not_fit) {
  const FactorGraph grid = testing::random_grid(4, 4, 2, 3);
  BranchAndBound search(grid, random_order(grid, 2));
  EXPECT_EQ(search.run(1000, {.deadline = Stop::Clock::time_point::min()}).transitions, 0u);
  EXPECT_FALSE(search.is_finished());
  EXPECT_EQ(search.upper_bound(), INFINITY);
  EXPECT_THROW(BranchAndBound(grid, random_order(grid, 2), {.memory_bytes = 16}), LimitError);
}

}  // namespace
}  // namespace fovea::graph
