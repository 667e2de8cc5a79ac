// SPDX-License-Identifier: Apache-2.0
#include "fovea/graph/local_search/block_search.h"

#include <gtest/gtest.h>

#include "tests/support/random_graphs.h"

namespace fovea::graph {
namespace {

/// A chain in which every variable must equal its neighbour and only the last prefers a value: single moves are stuck.
TEST(BlockSearchTest, MovesWhatHardConstraintsTieTogether) {
  FactorGraph::Builder builder;
  for (int v = 0; v < 30; ++v) builder.add_variable(2);
  const TableId equal = builder.add_table(std::vector<double>{0, -INFINITY, -INFINITY, 0});
  for (VariableId v = 0; v + 1 < 30; ++v) builder.add_factor(std::vector<VariableId>{v, v + 1}, equal);
  builder.add_factor(std::vector<VariableId>{29}, std::vector<double>{0, 1});
  const FactorGraph graph = builder.build();
  BlockSearch search(graph, Random(1), {Assignment(30, 0), 0});
  search.run(2'000, {});
  EXPECT_EQ(search.best().values, Assignment(30, 1));
}

TEST(BlockSearchTest, TakesWhatIsBetterAndStops) {
  const FactorGraph graph = testing::random_grid(5, 5, 2, 1);
  BlockSearch search(graph, Random(1), {Assignment(25, 0), graph.log_score(Assignment(25, 0))});
  search.offer({Assignment(25, 1), search.best().score - 1});
  EXPECT_EQ(search.best().values, Assignment(25, 0));
  search.offer({Assignment(25, 1), search.best().score + 1});
  EXPECT_EQ(search.best().values, Assignment(25, 1));
  EXPECT_EQ(search.run(1000, {.deadline = Stop::Clock::time_point::min()}), Work{});
}

}  // namespace
}  // namespace fovea::graph
