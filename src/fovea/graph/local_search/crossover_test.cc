// SPDX-License-Identifier: Apache-2.0
#include "fovea/graph/local_search/crossover.h"

#include <gtest/gtest.h>

#include <cmath>

#include "fovea/base/random.h"
#include "tests/support/enumerate_graph.h"
#include "tests/support/random_graphs.h"

namespace fovea::graph {
namespace {

/// The best of all children that take, component by component of the differing variables, one parent's values: found by
/// trying every mixture of the two parents and keeping those whose score is the sum of independent parts anyway.
double best_mixture(const FactorGraph& graph, const Assignment& a, const Assignment& b) {
  std::vector<VariableId> differing;
  for (VariableId v = 0; v < a.size(); ++v)
    if (a[v] != b[v]) differing.push_back(v);
  double best = graph.log_score(a);
  for (std::size_t mask = 0; mask < std::size_t{1} << differing.size(); ++mask) {
    Assignment child = a;
    bool splits_an_edge = false;
    for (std::size_t i = 0; i < differing.size(); ++i)
      if (mask >> i & 1) child[differing[i]] = b[differing[i]];
    for (const VariableId v : differing)
      for (const VariableId u : graph.markov_blanket(v))
        splits_an_edge |= a[u] != b[u] && (child[u] == a[u]) != (child[v] == a[v]);
    if (!splits_an_edge) best = std::max(best, graph.log_score(child));
  }
  return best;
}

class CrossoverTest : public ::testing::TestWithParam<int> {};

TEST_P(CrossoverTest, FindsTheBestChildThatSplitsNoComponent) {
  const auto seed = static_cast<std::uint32_t>(GetParam());
  const FactorGraph graph = testing::random_graph({.variable_count = 12, .factor_count = 16, .forbidden = .05}, seed);
  Random random(seed);
  PartitionCrossover crossover(graph);
  for (int i = 0; i < 5; ++i) {  // the same workspace again
    Assignment a, b;
    for (VariableId v = 0; v < 12; ++v) {
      a.push_back(static_cast<Value>(random.uniform_index(static_cast<std::uint32_t>(graph.cardinality(v)))));
      b.push_back(random.bernoulli(.5) ? a[v] : static_cast<Value>(1 - std::min<int>(a[v], 1)));
    }
    const double best = best_mixture(graph, a, b), before = graph.log_score(a);
    Assignment child = a;
    const std::size_t changed = crossover.improve(child, b);
    if (std::isinf(best)) continue;
    EXPECT_NEAR(graph.log_score(child), best, 1e-12);
    EXPECT_EQ(changed > 0, best > before);
  }
}

INSTANTIATE_TEST_SUITE_P(Seeds, CrossoverTest, ::testing::Range(1, 21));

TEST(CrossoverTest, MendsConstraintsBeforeItLooksAtScores) {
  FactorGraph::Builder builder;
  builder.add_variable(2);
  builder.add_variable(2);
  builder.add_factor(std::vector<VariableId>{0}, std::vector<double>{5, 0});
  builder.add_factor(std::vector<VariableId>{0}, std::vector<double>{-INFINITY, 0});
  builder.add_factor(std::vector<VariableId>{1}, std::vector<double>{-INFINITY, -INFINITY});
  const FactorGraph graph = builder.build();
  Assignment child = {0, 0};
  EXPECT_EQ(PartitionCrossover(graph).improve(child, Assignment{1, 1}), 1u);
  EXPECT_EQ(child, (Assignment{1, 0}));
}

}  // namespace
}  // namespace fovea::graph
