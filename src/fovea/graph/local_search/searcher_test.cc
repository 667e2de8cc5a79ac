// SPDX-License-Identifier: Apache-2.0
// Properties of every Searcher.
#include "fovea/graph/local_search/searcher.h"

#include <gtest/gtest.h>

#include "fovea/graph/local_search/annealing.h"
#include "fovea/graph/local_search/block_search.h"
#include "fovea/graph/local_search/expansion_search.h"
#include "fovea/graph/local_search/tabu_search.h"
#include "tests/support/enumerate_graph.h"
#include "tests/support/random_graphs.h"

namespace fovea::graph {
namespace {

/// Transitions after which a small model is solved.
template <class Search>
constexpr std::uint64_t kEnough = 300'000;
template <>
constexpr std::uint64_t kEnough<BlockSearch> = 20'000;

template <class Search>
class SearcherTest : public ::testing::Test {};

using Searchers = ::testing::Types<Annealing, BlockSearch, ExpansionSearch, TabuSearch>;
TYPED_TEST_SUITE(SearcherTest, Searchers);

TYPED_TEST(SearcherTest, FindsTheBestAssignmentOfSmallModels) {
  constexpr std::size_t kMaxArity = std::same_as<TypeParam, ExpansionSearch> ? 2 : 3;
  for (std::uint32_t seed = 1; seed <= 20; ++seed) {
    const FactorGraph graph = testing::random_graph({.variable_count = 9,
                                                     .factor_count = 16,
                                                     .min_arity = 0,
                                                     .max_arity = kMaxArity,
                                                     .forbidden = seed % 2 ? .25 : 0,
                                                     .is_feasible = true},
                                                    seed);
    TypeParam search(graph, Random(seed));
    search.run(kEnough<TypeParam>, {});
    EXPECT_NEAR(search.best().score, testing::enumerate_graph(graph).best.score, 1e-9) << "seed " << seed;
    EXPECT_EQ(search.best().score, graph.log_score(search.best().values)) << "seed " << seed;
  }
}

TYPED_TEST(SearcherTest, TheSameSeedAndRoundsGiveTheSameAnswer) {
  const FactorGraph graph = testing::random_grid(12, 12, 3, 5);
  TypeParam one(graph, Random(7)), two(graph, Random(7));
  for (int round = 0; round < 3; ++round)
    EXPECT_EQ(one.run(kEnough<TypeParam> / 10, {}), two.run(kEnough<TypeParam> / 10, {}));
  EXPECT_TRUE(one.best().found());
  EXPECT_EQ(one.best().values, two.best().values);
}

TYPED_TEST(SearcherTest, AModelWithoutVariablesHasOneAssignment) {
  FactorGraph::Builder builder;
  builder.add_factor({}, std::vector<double>{2.5});
  const FactorGraph graph = builder.build();
  TypeParam search(graph, Random(1));
  search.run(1000, {});
  EXPECT_EQ(search.best().score, 2.5);
}

TYPED_TEST(SearcherTest, DoesNothingAfterAStop) {
  const FactorGraph graph = testing::random_grid(4, 4, 2, 1);
  TypeParam search(graph, Random(1));
  EXPECT_EQ(search.run(1000, {.deadline = Stop::Clock::time_point::min()}), Work{});
}

}  // namespace
}  // namespace fovea::graph
