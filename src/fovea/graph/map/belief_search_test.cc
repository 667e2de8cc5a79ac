// SPDX-License-Identifier: Apache-2.0
#include "fovea/graph/map/belief_search.h"

#include <gtest/gtest.h>

#include <cmath>

#include "tests/support/enumerate_graph.h"
#include "tests/support/random_graphs.h"

namespace fovea::graph {
namespace {

TEST(BeliefSearch, FindsTheBestOfStrongModels) {
  int found = 0;
  for (std::uint32_t seed = 0; seed < 20; ++seed) {
    const FactorGraph graph = testing::random_graph({.variable_count = 8, .factor_count = 10, .scale = 3}, seed);
    BeliefSearch search(graph, Random(1));
    search.run(10'000, {});
    EXPECT_TRUE(search.best().found());
    EXPECT_NEAR(graph.log_score(search.best().values), search.best().score, 1e-9);
    found += search.best().score > testing::enumerate_graph(graph).best.score - 1e-9;
  }
  EXPECT_GE(found, 10) << "it is a heuristic, but not for nothing";
}

TEST(BeliefSearch, RoundsAddUp) {
  const FactorGraph graph = testing::random_grid(6, 6, 3, 2);
  BeliefSearch whole(graph, Random(1)), pieces(graph, Random(1));
  whole.run(3600, {});
  for (int round = 0; round < 10; ++round) pieces.run(360, {});
  EXPECT_EQ(whole.best().values, pieces.best().values);
}

TEST(BeliefSearch, LaterEpisodesImproveOnTheFirst) {
  int first_found = 0, found = 0;
  for (std::uint32_t seed = 0; seed < 10; ++seed) {
    const FactorGraph graph = testing::random_graph(
        {.variable_count = 11, .factor_count = 16, .scale = 1, .forbidden = .2, .is_feasible = true}, seed);
    const double best = testing::enumerate_graph(graph).best.score;
    BeliefSearch search(graph, Random(seed));
    search.run(400, {});
    first_found += search.best().score > best - 1e-9;
    search.run(40'000, {});
    found += search.best().score > best - 1e-9;
  }
  EXPECT_LT(first_found, found);
  EXPECT_EQ(found, 10);
}

TEST(BeliefSearch, EndsWhereNoAssignmentIsPossible) {
  FactorGraph::Builder builder;
  for (int v = 0; v < 3; ++v) builder.add_variable(2);
  const TableId differ = builder.add_table(std::vector<double>{-INFINITY, 0, 0, -INFINITY});
  for (VariableId v = 0; v < 2; ++v) builder.add_factor(std::vector<VariableId>{v, v + 1}, differ);
  builder.add_factor(std::vector<VariableId>{0}, std::vector<double>{0, -INFINITY});
  builder.add_factor(std::vector<VariableId>{2}, std::vector<double>{-INFINITY, 0});
  const FactorGraph graph = builder.build();
  BeliefSearch search(graph, Random(1));
  search.run(10'000, {});
  EXPECT_TRUE(search.is_finished());
  EXPECT_FALSE(search.best().found());
  EXPECT_EQ(search.run(1000, {}).transitions, 0u);
}

TEST(BeliefSearch, KeepsABetterOffer) {
  const FactorGraph graph = testing::random_grid(3, 3, 2, 2);
  BeliefSearch search(graph, Random(1));
  search.offer({.values = Assignment(9, 1), .score = 1e6});
  search.run(5000, {});
  EXPECT_EQ(search.best().score, 1e6);
}

}  // namespace
}  // namespace fovea::graph
