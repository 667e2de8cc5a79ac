// SPDX-License-Identifier: Apache-2.0
#include "fovea/graph/sums/query_search.h"

#include <gtest/gtest.h>

#include "fovea/base/log_math.h"
#include "tests/support/enumerate_graph.h"
#include "tests/support/random_graphs.h"

namespace fovea::graph {
namespace {

constexpr std::uint64_t kUnlimited = std::uint64_t{1} << 40;

TEST(QuerySearch, FindsWhatEnumerationFinds) {
  for (std::uint32_t seed = 0; seed < 6; ++seed) {
    const FactorGraph graph =
        testing::random_graph({.variable_count = 8, .factor_count = 14, .max_cardinality = 3}, seed);
    const std::vector<VariableId> query = {0, 2, 3, 5, 7};
    const QuerySums sums(graph, query, 1 << 20, Random(seed));
    QuerySearch search(sums, query, Random(seed));
    ASSERT_TRUE(search.start(Assignment(8, 0), kUnlimited, {}));
    for (int i = 0; i < 50; ++i) search.disturb(kUnlimited, {});
    EXPECT_NEAR(search.best().score, testing::enumerate_marginal_map(graph, query).score, 1e-9) << seed;
    std::vector<Value> values;
    for (const VariableId v : query) values.push_back(search.best().values[v]);
    EXPECT_NEAR(testing::enumerate_log_sum(graph, query, values), search.best().score, 1e-9);
  }
}

TEST(QuerySearch, KeepsToTransitionsAndToWhatIsBetter) {
  const FactorGraph grid = testing::random_grid(4, 4, 3, 2);
  std::vector<VariableId> query;
  for (VariableId v = 0; v < 16; v += 2) query.push_back(v);
  const QuerySums sums(grid, query, 1 << 20, Random(1));
  QuerySearch search(sums, query, Random(1));
  ASSERT_TRUE(search.start(Assignment(16, 0), 5, {}));
  EXPECT_LE(search.transitions(), 5);
  const double first = search.best().score;
  search.start(Assignment(16, 1), kUnlimited, {});
  EXPECT_GE(search.best().score, first);
}

TEST(QuerySearch, DoesNotBeginAtBrokenConstraintsOrAfterAStop) {
  FactorGraph::Builder builder;
  for (int v = 0; v < 2; ++v) builder.add_variable(2);
  builder.add_factor(std::vector<VariableId>{0, 1}, std::vector<double>{kImpossible, kImpossible, 1, 2});
  const FactorGraph graph = builder.build();
  const std::vector<VariableId> query = {0};
  const QuerySums sums(graph, query, 1 << 20, Random(1));
  QuerySearch search(sums, query, Random(1));
  EXPECT_FALSE(search.start({0, 0}, kUnlimited, {}));
  EXPECT_FALSE(search.best().found());
  ASSERT_TRUE(search.start({1, 0}, kUnlimited, {}));
  EXPECT_NEAR(search.best().score, 2 + std::log1p(std::exp(-1.0)), 1e-12);
}

}  // namespace
}  // namespace fovea::graph
