// SPDX-License-Identifier: Apache-2.0
#include "fovea/graph/local_search/tabu_search.h"

#include <gtest/gtest.h>

#include "tests/support/random_graphs.h"

namespace fovea::graph {
namespace {

/// Ten pairs, each of which has to pass through -1 on its way from 0 to 1: a descent ends with about half of them
/// there.
TEST(TabuSearch, OneWalkPassesThroughWhatIsWorse) {
  FactorGraph::Builder builder;
  for (int v = 0; v < 20; ++v) builder.add_variable(2);
  const TableId pair = builder.add_table(std::vector<double>{0, -1, -1, 1});
  for (VariableId v = 0; v < 20; v += 2) builder.add_factor(std::vector<VariableId>{v, v + 1}, pair);
  const FactorGraph graph = builder.build();
  TabuSearch search(graph, Random(1));
  search.run(300 * 20, {});  // too few steps for it to give a walk up
  EXPECT_EQ(search.best().values, Assignment(20, 1));
}

TEST(TabuSearch, TakesWhatIsBetterAndStops) {
  const FactorGraph graph = testing::random_grid(5, 5, 2, 1);
  TabuSearch search(graph, Random(1));
  EXPECT_EQ(search.run(1000, {.deadline = Stop::Clock::time_point::min()}), Work{});
  search.offer({.values = Assignment(25, 1), .score = 1e6});
  search.offer({.values = Assignment(25, 0), .score = 1});
  search.run(1000, {});
  EXPECT_EQ(search.best().values, Assignment(25, 1));
}

TEST(TabuSearch, AcceptsSmallDenseModelsOnly) {
  EXPECT_TRUE(TabuSearch::accepts(testing::random_grid(2, 2, 3, 1)));
  EXPECT_FALSE(TabuSearch::accepts(testing::random_grid(10, 10, 2, 1))) << "sparse";
  EXPECT_FALSE(TabuSearch::accepts(testing::random_grid(2, 2, 1025, 1))) << "too many values";
}

}  // namespace
}  // namespace fovea::graph
