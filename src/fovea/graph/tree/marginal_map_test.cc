// SPDX-License-Identifier: Apache-2.0
#include "fovea/graph/tree/marginal_map.h"

#include <gtest/gtest.h>

#include <cmath>
#include <stdexcept>

#include "fovea/base/error.h"
#include "tests/support/enumerate_graph.h"
#include "tests/support/random_graphs.h"

namespace fovea::graph {
namespace {

TEST(MarginalMap, tree_and_search_agree_with_enumeration) {
  for (const double max_operations : {1e10, 0.0})
    for (std::uint32_t seed = 0; seed < 30; ++seed) {
      const FactorGraph graph = testing::random_graph(
          {.variable_count = 8, .factor_count = 11, .min_cardinality = 1, .forbidden = seed % 2 ? .4 : 0}, seed);
      const std::vector<VariableId> query = {7, seed % 7, (seed + 3) % 7};
      const ScoredAssignment expected = testing::enumerate_marginal_map(graph, query);
      const MarginalMapTreeOptions options{.max_operations = max_operations};
      if (!expected.found()) {
        EXPECT_THROW(maximise_marginal(graph, query, options, Random(seed)), InfeasibleError);
        continue;
      }
      const MarginalMap found = maximise_marginal(graph, query, options, Random(seed));
      EXPECT_NEAR(found.best.score, expected.score, 1e-10);
      EXPECT_NEAR(testing::enumerate_log_sum(graph, query, found.best.values), expected.score, 1e-10);
      EXPECT_TRUE(found.is_optimal);
      EXPECT_EQ(found.upper_bound, found.best.score);
      EXPECT_EQ(found.nodes > 0, max_operations == 0);
    }
}

TEST(MarginalMap, is_log_z_without_a_query_and_map_with_all_variables) {
  const FactorGraph graph = testing::random_graph({}, 1);
  const testing::EnumeratedGraph expected = testing::enumerate_graph(graph);
  EXPECT_NEAR(maximise_marginal(graph, {}, {}, Random(1)).best.score, expected.log_z, 1e-10);
  const std::vector<VariableId> all = {0, 1, 2, 3, 4, 5};
  EXPECT_EQ(maximise_marginal(graph, all, {}, Random(1)).best.values, expected.best.values);
  EXPECT_EQ(maximise_marginal(graph, all, {.max_operations = 0}, Random(1)).best.values, expected.best.values);
}

TEST(MarginalMap, search_prunes) {
  const FactorGraph grid = testing::random_grid(4, 4, 2, 1, 2);
  std::vector<VariableId> query;
  for (VariableId v = 0; v < 16; v += 2) query.push_back(v);
  const MarginalMap found = maximise_marginal(grid, query, {.max_operations = 0}, Random(1));
  EXPECT_LT(found.nodes, 200u);  // of 511
}

TEST(MarginalMap, refuses_queries_that_are_none) {
  const FactorGraph graph = testing::random_graph({}, 1);
  EXPECT_THROW(maximise_marginal(graph, std::vector<VariableId>{1, 1}, {}, Random(1)), std::invalid_argument);
  EXPECT_THROW(maximise_marginal(graph, std::vector<VariableId>{6}, {}, Random(1)), std::invalid_argument);
}

TEST(MarginalMap, refuses_what_does_not_fit) {
  const FactorGraph graph = testing::random_grid(5, 5, 2, 1);
  EXPECT_THROW(maximise_marginal(graph, std::vector<VariableId>{1}, {.memory_limit = 100}, Random(1)), LimitError);
}

}  // namespace
}  // namespace fovea::graph
