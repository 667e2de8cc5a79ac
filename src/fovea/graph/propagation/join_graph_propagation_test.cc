// SPDX-License-Identifier: Apache-2.0
#include "fovea/graph/propagation/join_graph_propagation.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "fovea/base/error.h"
#include "fovea/base/log_math.h"
#include "fovea/graph/propagation/belief_propagation.h"
#include "tests/support/enumerate_graph.h"
#include "tests/support/random_graphs.h"

namespace fovea::graph {
namespace {

JoinGraph join_in_natural_order(const FactorGraph& graph, double max_entries) {
  std::vector<VariableId> order(graph.variable_count());
  std::iota(order.begin(), order.end(), 0u);
  return JoinGraph(graph, order, max_entries);
}

double largest_belief_gap(const std::vector<std::vector<double>>& a, const std::vector<std::vector<double>>& b) {
  double gap = 0;
  for (std::size_t v = 0; v < a.size(); ++v)
    for (std::size_t k = 0; k < a[v].size(); ++k) gap = std::max(gap, std::abs(a[v][k] - b[v][k]));
  return gap;
}

TEST(JoinGraphPropagationTest, OneIterationIsExactWhereNothingIsSplit) {
  for (std::uint32_t seed = 0; seed < 60; ++seed) {
    const FactorGraph graph = testing::random_graph({.variable_count = 1 + seed % 8,
                                                     .factor_count = seed % 15,
                                                     .min_arity = 0,
                                                     .max_arity = 4,
                                                     .scale = seed % 2 ? 1.0 : 20.0,
                                                     .forbidden = seed % 3 ? 0.0 : 0.2,
                                                     .is_feasible = true},
                                                    seed);
    const testing::EnumeratedGraph exact = testing::enumerate_graph(graph);
    const JoinGraph join_graph = join_in_natural_order(graph, 1e9);
    JoinGraphPropagation propagation(graph, join_graph);
    propagation.run(1);
    EXPECT_LT(largest_belief_gap(propagation.marginals(), exact.marginals), 1e-9) << "seed " << seed;
    EXPECT_NEAR(propagation.log_partition(), exact.log_z, 1e-8) << "seed " << seed;
    propagation.run(2);  // the first may infer zeros on the way back that the second one uses
    EXPECT_TRUE(propagation.is_converged()) << "seed " << seed;
  }
}

TEST(JoinGraphPropagationTest, FactorsAsClustersAreBeliefPropagation) {
  const FactorGraph graph = testing::random_grid(4, 4, 3, 3, 0.4);
  BeliefPropagation belief_propagation(graph, {.tolerance = 1e-12});
  belief_propagation.run(1000);
  const JoinGraph join_graph = join_in_natural_order(graph, 1);
  JoinGraphPropagation propagation(graph, join_graph, {.damping = 0.2, .tolerance = 1e-12});
  propagation.run(1000);
  ASSERT_TRUE(propagation.is_converged() && belief_propagation.is_converged());
  for (VariableId v = 0; v < graph.variable_count(); ++v) {
    std::vector<double> belief(graph.cardinality(v));
    belief_propagation.belief(v, belief);
    for (std::size_t k = 0; k < belief.size(); ++k) EXPECT_NEAR(propagation.marginals()[v][k], belief[k], 1e-9);
  }
  EXPECT_NEAR(propagation.log_partition(), belief_propagation.log_partition().value(), 1e-8);
}

TEST(JoinGraphPropagationTest, LargerClustersComeCloserToTheMarginals) {
  double small_gap = 0, large_gap = 0;
  for (std::uint32_t seed = 0; seed < 10; ++seed) {
    const FactorGraph graph = testing::random_grid(4, 4, 2, seed, 0.7);
    const testing::EnumeratedGraph exact = testing::enumerate_graph(graph);
    for (const double bound : {4.0, 16.0}) {
      const JoinGraph join_graph = join_in_natural_order(graph, bound);
      JoinGraphPropagation propagation(graph, join_graph, {.damping = 0.3});
      propagation.run(100);
      (bound == 4 ? small_gap : large_gap) += largest_belief_gap(propagation.marginals(), exact.marginals);
    }
  }
  EXPECT_LT(large_gap, small_gap);
}

TEST(JoinGraphPropagationTest, RulesOutOnlyWhatIsImpossible) {
  std::size_t infeasible = 0;
  for (std::uint32_t seed = 0; seed < 100; ++seed) {
    const FactorGraph graph = testing::random_graph(
        {.variable_count = 6, .factor_count = 9, .max_arity = 3, .forbidden = 0.2 + 0.4 * (seed % 2)}, seed);
    const testing::EnumeratedGraph exact = testing::enumerate_graph(graph);
    const JoinGraph join_graph = join_in_natural_order(graph, 18);
    JoinGraphPropagation propagation(graph, join_graph);
    propagation.run(10);
    infeasible += propagation.is_infeasible();
    EXPECT_EQ(propagation.is_infeasible(), propagation.log_partition() == -kInfinity) << "seed " << seed;
    EXPECT_FALSE(propagation.is_infeasible() && exact.best.found()) << "seed " << seed;
    for (VariableId v = 0; v < graph.variable_count(); ++v)
      for (std::size_t k = 0; k < graph.cardinality(v); ++k) {
        ASSERT_TRUE(std::isfinite(propagation.marginals()[v][k])) << "seed " << seed;
        EXPECT_TRUE(propagation.marginals()[v][k] > 0 || exact.marginals[v][k] == 0) << "seed " << seed;
      }
  }
  EXPECT_GT(infeasible, 0u);
}

TEST(JoinGraphPropagationTest, SeveralRunsEqualOneAlsoAfterAStop) {
  CancelToken cancel;
  cancel.cancel();
  const FactorGraph graph = testing::random_grid(5, 5, 3, 3);
  const JoinGraph join_graph = join_in_natural_order(graph, 30);
  JoinGraphPropagation once(graph, join_graph, {.tolerance = 0}), twice(graph, join_graph, {.tolerance = 0});
  once.run(5);
  twice.run(5, {.cancel = &cancel});
  EXPECT_EQ(twice.iterations(), 0u);
  EXPECT_EQ(twice.change(), kInfinity);
  twice.run(2);
  twice.run(3);
  EXPECT_EQ(once.marginals(), twice.marginals());
  EXPECT_EQ(once.log_partition(), twice.log_partition());
}

TEST(JoinGraphPropagationTest, RefusesOptionsOutOfRange) {
  const FactorGraph graph = testing::random_grid(2, 2, 2, 5);
  const JoinGraph join_graph = join_in_natural_order(graph, 10);
  EXPECT_THROW(JoinGraphPropagation(graph, join_graph, {.damping = 1}), UsageError);
  EXPECT_THROW(JoinGraphPropagation(graph, join_graph, {.tolerance = -1}), UsageError);
}

}  // namespace
}  // namespace fovea::graph
