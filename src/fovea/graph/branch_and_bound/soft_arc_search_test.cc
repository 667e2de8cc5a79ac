// SPDX-License-Identifier: Apache-2.0
#include "fovea/graph/branch_and_bound/soft_arc_search.h"

#include <gtest/gtest.h>

#include <random>

#include "fovea/base/log_math.h"
#include "tests/support/enumerate_graph.h"

namespace fovea::graph {
namespace {

/// Factors of at most two variables, in either order, with whole scores of both signs.
FactorGraph whole_graph(std::uint32_t seed, std::size_t variables, int values, std::size_t factors, double forbidden) {
  std::mt19937 engine(seed);
  const auto draw = [&](int low, int high) { return std::uniform_int_distribution<int>(low, high)(engine); };
  FactorGraph::Builder builder;
  for (std::size_t v = 0; v < variables; ++v) builder.add_variable(static_cast<std::size_t>(draw(1, values)));
  for (std::size_t f = 0; f < factors; ++f) {
    std::vector<VariableId> scope;
    for (int i = draw(0, 2); i > 0; --i) {
      const auto v = static_cast<VariableId>(draw(0, static_cast<int>(variables) - 1));
      if (scope.empty() || scope[0] != v) scope.push_back(v);
    }
    std::size_t entries = 1;
    for (const VariableId v : scope) entries *= builder.cardinality(v);
    std::vector<double> scores(entries);
    for (double& score : scores)
      score = std::bernoulli_distribution(scope.empty() ? 0 : forbidden)(engine) ? kImpossible : draw(-20, 5);
    builder.add_factor(scope, builder.add_table(scores));
  }
  return builder.build();
}

TEST(SoftArcSearch, ProvesTheMaximumThatEnumerationFinds) {
  for (std::uint32_t seed = 0; seed < 400; ++seed) {
    SCOPED_TRACE(seed);
    const FactorGraph graph =
        whole_graph(seed, 1 + seed % 7, seed % 5 == 0 ? 12 : 4, 2 + seed % 23, seed % 3 == 0 ? .35 : 0);
    ASSERT_TRUE(SoftArcSearch::is_for(graph, std::size_t{1} << 30));
    const ScoredAssignment expected = testing::enumerate_graph(graph).best;
    SoftArcSearch search(graph);
    while (!search.is_finished()) {
      search.run(1 + seed % 20, {});
      EXPECT_GE(search.upper_bound(), expected.score);
      EXPECT_LE(search.best().score, expected.score);
    }
    ASSERT_EQ(search.best().found(), expected.found());
    EXPECT_EQ(search.best().score, expected.score);
    EXPECT_EQ(search.upper_bound(), expected.score);
    if (!expected.found()) continue;
    EXPECT_EQ(graph.log_score(search.best().values), expected.score);
  }
}

TEST(SoftArcSearch, TakesWhatOthersFound) {
  const FactorGraph graph = whole_graph(3, 6, 4, 20, 0);
  const ScoredAssignment expected = testing::enumerate_graph(graph).best;
  SoftArcSearch search(graph);
  search.offer(expected);
  const Work work = search.run(1'000'000, {});
  EXPECT_TRUE(search.is_finished());
  EXPECT_EQ(search.upper_bound(), expected.score);
  SoftArcSearch alone(graph);
  EXPECT_LE(work.transitions, alone.run(1'000'000, {}).transitions);
}

TEST(SoftArcSearch, IsForWholeScoresOfTwoVariables) {
  FactorGraph::Builder builder;
  for (int v = 0; v < 3; ++v) builder.add_variable(2);
  const VariableId pair[] = {0, 1};
  builder.add_factor(pair, builder.add_table(std::vector<double>{0, -1, .5, 0}));
  EXPECT_FALSE(SoftArcSearch::is_for(builder.build(), std::size_t{1} << 30));
  EXPECT_FALSE(SoftArcSearch::is_for(whole_graph(1, 5, 4, 9, 0), 100)) << "the memory";
}

}  // namespace
}  // namespace fovea::graph
