// SPDX-License-Identifier: Apache-2.0
#include "fovea/graph/local_search/block_search.h"

#include <gtest/gtest.h>

#include "tests/support/enumerate_graph.h"
#include "tests/support/random_graphs.h"

namespace fovea::graph {
namespace {

class BlockSearchTest : public ::testing::TestWithParam<int> {};

TEST_P(BlockSearchTest, FindsTheBestAssignmentOfSmallModels) {
  const auto seed = static_cast<std::uint32_t>(GetParam());
  const FactorGraph graph = testing::random_graph(
      {.variable_count = 9, .factor_count = 16, .min_arity = 0, .forbidden = seed % 2 ? .25 : 0, .is_feasible = true},
      seed);
  BlockSearch search(graph, Random(seed));
  search.run(20'000, {});
  EXPECT_NEAR(search.best().score, testing::enumerate_graph(graph).best.score, 1e-9);
  EXPECT_EQ(search.best().score, graph.log_score(search.best().values));
}

INSTANTIATE_TEST_SUITE_P(Seeds, BlockSearchTest, ::testing::Range(1, 21));

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

TEST(BlockSearchTest, TheSameSeedAndRoundsGiveTheSameAnswer) {
  const FactorGraph graph = testing::random_grid(12, 12, 3, 5);
  BlockSearch one(graph, Random(7)), two(graph, Random(7));
  for (int round = 0; round < 3; ++round) EXPECT_EQ(one.run(3'000, {}), two.run(3'000, {}));
  EXPECT_TRUE(one.best().found());
  EXPECT_EQ(one.best().values, two.best().values);
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

TEST(BlockSearchTest, AModelWithoutVariablesHasOneAssignment) {
  FactorGraph::Builder builder;
  builder.add_factor({}, std::vector<double>{2.5});
  const FactorGraph graph = builder.build();
  BlockSearch search(graph, Random(1));
  search.run(10, {});
  EXPECT_EQ(search.best().score, 2.5);
}

}  // namespace
}  // namespace fovea::graph
