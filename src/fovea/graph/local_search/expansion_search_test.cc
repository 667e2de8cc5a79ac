// SPDX-License-Identifier: Apache-2.0
#include "fovea/graph/local_search/expansion_search.h"

#include <gtest/gtest.h>

#include "tests/support/enumerate_graph.h"
#include "tests/support/random_graphs.h"

namespace fovea::graph {
namespace {

class ExpansionSearchTest : public ::testing::TestWithParam<int> {};

TEST_P(ExpansionSearchTest, FindsTheBestAssignmentOfSmallModels) {
  const auto seed = static_cast<std::uint32_t>(GetParam());
  const FactorGraph graph = testing::random_graph({.variable_count = 9,
                                                   .factor_count = 20,
                                                   .max_cardinality = 4,
                                                   .min_arity = 0,
                                                   .max_arity = 2,
                                                   .forbidden = seed % 2 ? .1 : 0,
                                                   .is_feasible = true},
                                                  seed);
  ASSERT_TRUE(ExpansionSearch::accepts(graph));
  ExpansionSearch search(graph, Random(seed));
  search.run(100'000, {});
  EXPECT_NEAR(search.best().score, testing::enumerate_graph(graph).best.score, 1e-9);
  EXPECT_EQ(search.best().score, graph.log_score(search.best().values));
}

INSTANTIATE_TEST_SUITE_P(Seeds, ExpansionSearchTest, ::testing::Range(1, 13));

TEST(ExpansionSearchTest, StartsWhereItIsToldAndTakesWhatIsBetter) {
  const FactorGraph graph = testing::random_grid(6, 6, 3, 2);
  ExpansionSearch good(graph, Random(1));
  good.run(20'000, {});
  ExpansionSearch search(graph, Random(2), {Assignment(36, 0), graph.log_score(Assignment(36, 0))});
  EXPECT_EQ(search.best().values, Assignment(36, 0));
  search.offer(good.best());
  search.offer({Assignment(36, 1), good.best().score - 1});
  EXPECT_EQ(search.best().values, good.best().values);
}

TEST(ExpansionSearchTest, DoesNothingAfterAStopAndRefusesLargeFactors) {
  const FactorGraph graph = testing::random_grid(4, 4, 2, 1);
  ExpansionSearch search(graph, Random(1));
  EXPECT_EQ(search.run(1000, {.deadline = Stop::Clock::time_point::min()}), Work{});
  EXPECT_FALSE(search.best().found());
  EXPECT_FALSE(ExpansionSearch::accepts(testing::random_graph({.min_arity = 3, .max_arity = 3}, 1)));
}

}  // namespace
}  // namespace fovea::graph
