// SPDX-License-Identifier: Apache-2.0
#include "fovea/graph/map/portfolio_members.h"

#include <gtest/gtest.h>

#include <cmath>

#include "fovea/graph/simplify/simplify_max.h"
#include "fovea/graph/solve/solve.h"
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

namespace {

class GridSearchTest : public ::testing::Test {
 protected:
  // One table for all edges along a line and one for all across, as grids of pictures have.
  GridSearchTest() {
    FactorGraph::Builder builder;
    Random random(4);
    for (VariableId v = 0; v < kRows * kColumns; ++v) builder.add_variable(3);
    const TableId potts = builder.add_table(std::vector<double>{1, 0, 0, 0, 1, 0, 0, 0, 1});
    for (VariableId v = 0; v < kRows * kColumns; ++v) {
      builder.add_factor(std::vector{v}, std::vector<double>{random.normal(), random.normal(), random.normal()});
      if (v % kColumns + 1 < kColumns) builder.add_factor(std::vector{v, v + 1}, potts);
      if (v / kColumns + 1 < kRows) builder.add_factor(std::vector{v, v + kColumns}, potts);
    }
    graph = builder.build();
    grid = GridModel::detect(graph);
    simple = simplify_max(graph);
  }
  static constexpr VariableId kRows = 9, kColumns = 14;

  GridSearch search(std::uint64_t seed = 1) const { return {graph, *grid, StripRule::hot_bits(7), Random(seed)}; }

  FactorGraph graph;
  std::optional<GridModel> grid;
  MaxSimplification simple;
};

TEST_F(GridSearchTest, FindsTheBestLabeling) {
  ASSERT_TRUE(grid.has_value());
  GridSearch searching = search();
  searching.run(2'000'000, {});
  const MapResult exact = solve_map(graph);
  ASSERT_EQ(exact.status, SolveStatus::kExact);
  EXPECT_NEAR(searching.best().score, exact.best.score, 1e-6);
  EXPECT_NEAR(graph.log_score(searching.best().values), exact.best.score, 1e-6);
}

TEST_F(GridSearchTest, SpeaksOfTheSimplifiedModelWhenLifted) {
  LiftedSearch lifted(std::make_unique<GridSearch>(search()), simple);
  lifted.run(100'000, {});
  EXPECT_EQ(lifted.best().values.size(), simple.graph.variable_count());
  EXPECT_NEAR(simple.graph.log_score(lifted.best().values), lifted.best().score, 1e-6);
  const MapResult exact = solve_map(graph);
  lifted.offer({.values = simple.restrict(exact.best.values), .score = exact.best.score});
  lifted.run(1000, {});
  EXPECT_NEAR(lifted.best().score, exact.best.score, 1e-6);
}

TEST_F(GridSearchTest, CountsVisitsOfEveryCell) {
  GridSearch searching = search();
  const Work work = searching.run(1000, {});
  const std::vector<std::uint64_t> visits = searching.visits();
  ASSERT_EQ(visits.size(), graph.variable_count());
  for (const std::uint64_t count : visits) EXPECT_GT(count, 0u);
  EXPECT_GE(work.transitions, 1000u);
}

TEST_F(GridSearchTest, TakesWhatOthersFoundOnlyIfItIsBetter) {
  GridSearch searching = search();
  searching.run(1000, {});
  const ScoredAssignment own = searching.best();
  searching.offer({.values = Assignment(graph.variable_count(), 0), .score = own.score - 1});
  EXPECT_EQ(searching.best().values, own.values);
  const ScoredAssignment exact = {.values = simple.restrict(solve_map(graph).best.values), .score = own.score + 1};
  searching.offer(exact);
  EXPECT_EQ(searching.best().values, exact.values);
}

TEST_F(GridSearchTest, DependsOnTheSeedAlone) {
  GridSearch a = search(3), b = search(3);
  a.run(50'000, {});
  b.run(50'000, {});
  EXPECT_EQ(a.best().values, b.best().values);
  EXPECT_EQ(a.visits(), b.visits());
}

}  // namespace

}  // namespace fovea::graph
