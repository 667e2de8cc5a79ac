// SPDX-License-Identifier: Apache-2.0
#include "fovea/engine/belief_search.h"

#include <gtest/gtest.h>

#include "tests/support/enumerate_graph.h"
#include "tests/support/random_graphs.h"

namespace fovea {
namespace {

TEST(BeliefSearch, FindsTheBestOfStrongModels) {
  int found = 0;
  for (std::uint32_t seed = 0; seed < 20; ++seed) {
    const FactorGraph graph = testing::random_graph({.variable_count = 8, .factor_count = 10, .scale = 3}, seed);
    BeliefSearch search(graph);
    search.run(100'000, {});
    EXPECT_TRUE(search.best().found());
    EXPECT_NEAR(graph.log_score(search.best().values), search.best().score, 1e-9);
    found += search.best().score > testing::enumerate_graph(graph).best.score - 1e-9;
  }
  EXPECT_GE(found, 10) << "it is a heuristic, but not for nothing";
}

TEST(BeliefSearch, RoundsAddUp) {
  const FactorGraph graph = testing::random_grid(6, 6, 3, 2);
  BeliefSearch whole(graph), pieces(graph);
  whole.run(3600, {});
  for (int round = 0; round < 10; ++round) pieces.run(360, {});
  EXPECT_EQ(whole.best().values, pieces.best().values);
}

TEST(BeliefSearch, EndsWhenMessagesConverge) {
  const FactorGraph graph = testing::random_graph({.variable_count = 3, .factor_count = 3, .max_arity = 2}, 5);
  BeliefSearch search(graph);
  search.run(1'000'000, {});
  EXPECT_TRUE(search.is_finished());
  EXPECT_EQ(search.run(1000, {}).transitions, 0u);
}

TEST(BeliefSearch, KeepsABetterOffer) {
  const FactorGraph graph = testing::random_grid(3, 3, 2, 2);
  BeliefSearch search(graph);
  search.offer({.values = Assignment(9, 1), .score = 1e6});
  search.run(5000, {});
  EXPECT_EQ(search.best().score, 1e6);
}

}  // namespace
}  // namespace fovea
