// SPDX-License-Identifier: Apache-2.0
#include "fovea/graph/branch_and_bound/join_graph_shifting.h"

#include <gtest/gtest.h>

#include <cmath>

#include "tests/support/enumerate_graph.h"
#include "tests/support/random_graphs.h"

namespace fovea::graph {
namespace {

double score(const std::vector<ScopedTable>& tables, const FactorGraph& graph, const Assignment& y) {
  double sum = 0;
  for (const ScopedTable& table : tables) {
    std::size_t entry = 0;
    for (const VariableId v : table.scope) entry = entry * graph.cardinality(v) + y[v];
    sum += table.entries[entry];
  }
  return sum;
}

TEST(JoinGraphShifting, lowers_the_bound_and_changes_no_score) {
  double gain = 0;
  for (std::uint32_t seed = 0; seed < 40; ++seed) {
    SCOPED_TRACE(seed);
    const FactorGraph graph = testing::random_graph({.variable_count = 7,
                                                     .factor_count = 14,
                                                     .min_arity = 0,
                                                     .max_arity = 3,
                                                     .forbidden = seed % 2 == 0 ? .2 : 0,
                                                     .is_feasible = true},
                                                    seed);
    std::vector<ScopedTable> factors;
    for (FactorId f = 0; f < graph.factor_count(); ++f)
      factors.push_back({.scope = {graph.scope(f).begin(), graph.scope(f).end()},
                         .entries = {graph.table(f).begin(), graph.table(f).end()}});
    std::vector<VariableId> order;
    for (VariableId v = 0; v < 7; ++v) order.push_back((v * 3 + seed) % 7);
    const PseudoTree tree(graph, order, 1000);
    JoinGraphShifting shifting(tree, factors, seed % 3 == 0 ? 1 : 60);
    const double first = shifting.bound();
    for (int i = 0; i < 10; ++i) {
      const double before = shifting.bound();
      ASSERT_TRUE(shifting.sweep({}));
      EXPECT_LE(shifting.bound(), before + 1e-9);
    }
    gain += first - shifting.bound();
    EXPECT_GE(shifting.bound(), testing::enumerate_graph(graph).best.score - 1e-9);
    testing::for_each_assignment(graph, [&](const Assignment& y, double expected) {
      const double found = score(shifting.clusters(), graph, y);
      EXPECT_EQ(std::isinf(found), std::isinf(expected));
      if (std::isfinite(expected)) {
        EXPECT_NEAR(found, expected, 1e-9);
      }
    });
  }
  EXPECT_GT(gain, 100);
}

TEST(JoinGraphShifting, a_tree_is_solved_by_one_sweep) {
  const FactorGraph chain = testing::random_grid(1, 8, 3, 5);
  std::vector<ScopedTable> factors;
  for (FactorId f = 0; f < chain.factor_count(); ++f)
    factors.push_back({.scope = {chain.scope(f).begin(), chain.scope(f).end()},
                       .entries = {chain.table(f).begin(), chain.table(f).end()}});
  const PseudoTree tree(chain, std::vector<VariableId>{0, 1, 2, 3, 4, 5, 6, 7}, 1000);
  JoinGraphShifting shifting(tree, factors, 1000);
  ASSERT_TRUE(shifting.sweep({}));
  EXPECT_NEAR(shifting.bound(), testing::enumerate_graph(chain).best.score, 1e-9);
}

}  // namespace
}  // namespace fovea::graph
