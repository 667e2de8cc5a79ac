// SPDX-License-Identifier: Apache-2.0
#include "fovea/graph/tables/table_sum.h"

#include <gtest/gtest.h>

#include "tests/support/enumerate_graph.h"
#include "tests/support/random_graphs.h"

namespace fovea::graph {
namespace {

TEST(TableSum, agrees_with_log_scores) {
  for (std::uint32_t seed = 0; seed < 20; ++seed) {
    const FactorGraph graph = testing::random_graph(
        {.variable_count = 1 + seed % 8, .factor_count = 5, .max_cardinality = 5, .min_arity = 0, .forbidden = .1},
        seed);
    std::vector<VariableId> scope;
    for (VariableId v = 0; v < graph.variable_count(); ++v) scope.push_back(v);
    TableSum sum(scope, graph.cardinalities());
    for (FactorId f = 0; f < graph.factor_count(); ++f) sum.add(graph.scope(f), graph.table(f));
    const std::vector<double> entries = sum.entries();
    std::size_t i = 0;
    testing::for_each_assignment(graph, [&](const Assignment&, double score) {
      ASSERT_LT(i, entries.size());
      EXPECT_EQ(std::isinf(entries[i]), std::isinf(score));
      if (std::isfinite(score)) {
        EXPECT_NEAR(entries[i], score, 1e-12);
      }
      ++i;
    });
    EXPECT_EQ(i, entries.size());
  }
}

TEST(TableSum, keeps_the_last_variables_whole) {
  const std::vector<std::uint32_t> cardinalities{3, 50, 60};
  const std::vector<VariableId> scope{0, 1, 2};
  TableSum sum(scope, cardinalities, 2);
  std::size_t blocks = 0;
  sum.for_each_block([&](std::size_t first, std::span<const double> sums) {
    EXPECT_EQ(first, blocks++ * 3000);
    EXPECT_EQ(sums.size(), 3000u);
    return blocks < 2;
  });
  EXPECT_EQ(blocks, 2u);
}

}  // namespace
}  // namespace fovea::graph
