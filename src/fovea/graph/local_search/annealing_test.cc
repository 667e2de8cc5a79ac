// SPDX-License-Identifier: Apache-2.0
#include "fovea/graph/local_search/annealing.h"

#include <gtest/gtest.h>

#include "tests/support/enumerate_graph.h"
#include "tests/support/random_graphs.h"

namespace fovea::graph {
namespace {

class AnnealingTest : public ::testing::TestWithParam<int> {};

TEST_P(AnnealingTest, FindsTheBestAssignmentOfSmallModels) {
  const auto seed = static_cast<std::uint32_t>(GetParam());
  const FactorGraph graph = testing::random_graph(
      {.variable_count = 9, .factor_count = 16, .min_arity = 0, .forbidden = seed % 2 ? .25 : 0, .is_feasible = true},
      seed);
  Annealing annealing(graph, Random(seed));
  annealing.run(300'000, {});
  EXPECT_NEAR(annealing.best().score, testing::enumerate_graph(graph).best.score, 1e-9);
  EXPECT_EQ(annealing.best().score, graph.log_score(annealing.best().values));
}

INSTANTIATE_TEST_SUITE_P(Seeds, AnnealingTest, ::testing::Range(1, 21));

TEST(AnnealingTest, TheSameSeedAndRoundsGiveTheSameAnswer) {
  const FactorGraph graph = testing::random_grid(20, 20, 3, 5);
  Annealing one(graph, Random(7)), two(graph, Random(7));
  for (int round = 0; round < 3; ++round) EXPECT_EQ(one.run(30'000, {}), two.run(30'000, {}));
  EXPECT_EQ(one.best().values, two.best().values);
  EXPECT_TRUE(one.best().found());
}

TEST(AnnealingTest, TakesABetterAssignmentAndKeepsItsOwn) {
  const FactorGraph graph = testing::random_grid(6, 6, 3, 2);
  Annealing good(graph, Random(1));
  good.run(100'000, {});
  Annealing fresh(graph, Random(2), {Assignment(36, 0), graph.log_score(Assignment(36, 0))});
  fresh.offer(good.best());
  EXPECT_EQ(fresh.best().score, good.best().score);
  fresh.offer({Assignment(36, 1), good.best().score - 1});
  EXPECT_EQ(fresh.best().values, good.best().values);
  fresh.run(10'000, {});
  EXPECT_GE(fresh.best().score, good.best().score);
}

TEST(AnnealingTest, DoesNothingAfterAStop) {
  const FactorGraph graph = testing::random_grid(4, 4, 2, 1);
  Annealing annealing(graph, Random(1));
  EXPECT_EQ(annealing.run(1000, {.deadline = Stop::Clock::time_point::min()}), Work{});
  EXPECT_FALSE(annealing.best().found());
}

TEST(AnnealingTest, AModelWithoutVariablesHasOneAssignment) {
  FactorGraph::Builder builder;
  builder.add_factor({}, std::vector<double>{2.5});
  const FactorGraph graph = builder.build();
  Annealing annealing(graph, Random(1));
  annealing.run(1000, {});
  EXPECT_EQ(annealing.best().score, 2.5);
}

}  // namespace
}  // namespace fovea::graph
