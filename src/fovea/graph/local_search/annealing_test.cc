// SPDX-License-Identifier: Apache-2.0
#include "fovea/graph/local_search/annealing.h"

#include <gtest/gtest.h>

#include "tests/support/random_graphs.h"

namespace fovea::graph {
namespace {

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

}  // namespace
}  // namespace fovea::graph
