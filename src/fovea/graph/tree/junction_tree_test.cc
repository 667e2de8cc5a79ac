// SPDX-License-Identifier: Apache-2.0
#include "fovea/graph/tree/junction_tree.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <span>
#include <stdexcept>

#include "fovea/base/error.h"
#include "fovea/base/log_math.h"
#include "fovea/graph/model/reduction.h"
#include "fovea/graph/tree/elimination_order.h"
#include "tests/support/enumerate_graph.h"
#include "tests/support/random_graphs.h"

namespace fovea::graph {
namespace {

ClusterTree tree_of(const FactorGraph& graph, std::uint64_t seed = 1) {
  return ClusterTree(graph, find_elimination_order(graph, {.tries = 1}, Random(seed)).order);
}

void expect_near(double found, double expected, double tolerance = 1e-10) {
  if (std::isinf(expected)) EXPECT_EQ(found, expected);
  else EXPECT_NEAR(found, expected, tolerance);
}

void expect_near(const std::vector<std::vector<double>>& found, const std::vector<std::vector<double>>& expected) {
  ASSERT_EQ(found.size(), expected.size());
  for (std::size_t v = 0; v < found.size(); ++v) {
    ASSERT_EQ(found[v].size(), expected[v].size());
    for (std::size_t k = 0; k < found[v].size(); ++k) EXPECT_NEAR(found[v][k], expected[v][k], 1e-11) << v << " " << k;
  }
}

constexpr testing::RandomGraphShape kGraphShape = {.variable_count = 8,
                                                   .factor_count = 9,
                                                   .min_cardinality = 1,
                                                   .max_cardinality = 4,
                                                   .min_arity = 0,
                                                   .shared_tables = .3};

TEST(JunctionTree, agrees_with_enumeration) {
  std::size_t infeasible = 0;
  for (const double forbidden : {0.0, .3, .6})
    for (std::uint32_t seed = 0; seed < 40; ++seed) {
      testing::RandomGraphShape shape = kGraphShape;
      shape.forbidden = forbidden;
      shape.scale = seed % 4 ? 1 : 300;  // sums that would overflow
      const FactorGraph graph = testing::random_graph(shape, seed);
      const testing::EnumeratedGraph expected = testing::enumerate_graph(graph);
      const ClusterTree tree = tree_of(graph, seed);
      const JunctionTree junction_tree(graph, tree);
      expect_near(junction_tree.log_partition(), expected.log_z, 1e-9);
      if (!expected.best.found()) {
        ++infeasible;
        EXPECT_THROW(junction_tree.maximise(), InfeasibleError);
        EXPECT_THROW(junction_tree.marginals(), InfeasibleError);
        continue;
      }
      const ScoredAssignment best = junction_tree.maximise();
      EXPECT_NEAR(best.score, expected.best.score, 1e-9);
      EXPECT_EQ(best.score, graph.log_score(best.values));
      const GraphMarginals marginals = junction_tree.marginals();
      expect_near(marginals.log_z, expected.log_z, 1e-9);
      expect_near(marginals.variables, expected.marginals);
    }
  EXPECT_GT(infeasible, 0u);
}

/// Pairwise factors with random scores within each of the cliques, of variables with 4 values.
FactorGraph cliques(std::size_t variables, std::span<const std::vector<VariableId>> members) {
  FactorGraph::Builder builder;
  for (std::size_t v = 0; v < variables; ++v) builder.add_variable(4);
  Random random(7);
  for (const std::vector<VariableId>& clique : members)
    for (std::size_t i = 0; i < clique.size(); ++i)
      for (std::size_t j = i + 1; j < clique.size(); ++j) {
        std::vector<double> table(16);
        for (double& score : table) score = random.bernoulli(.1) ? -kInfinity : .1 * random.uniform_index(100);
        builder.add_factor(std::array{clique[i], clique[j]}, table);
      }
  return builder.build();
}

TEST(JunctionTree, large_clusters_are_cut_into_parts) {
  const std::vector<VariableId> all = {0, 1, 2, 3, 4, 5, 6, 7, 8};
  const FactorGraph graph = cliques(9, std::vector<std::vector<VariableId>>{all});
  const testing::EnumeratedGraph expected = testing::enumerate_graph(graph);
  const ClusterTree tree = tree_of(graph);
  for (int threads : {1, 7}) {
    const JunctionTree junction_tree(graph, tree, 1e9, threads);
    expect_near(junction_tree.log_partition(), expected.log_z, 1e-9);
    EXPECT_EQ(junction_tree.maximise().values, expected.best.values);
    expect_near(junction_tree.marginals().variables, expected.marginals);
  }
}

TEST(JunctionTree, any_number_of_threads_gives_the_same_bits) {
  std::vector<std::vector<VariableId>> members;
  for (VariableId first = 0; first < 20; first += 4) {  // cliques of nine, of which neighbours share five
    members.emplace_back(9);
    std::iota(members.back().begin(), members.back().end(), first);
  }
  const FactorGraph graph = cliques(25, members);
  const ClusterTree tree = tree_of(graph);
  ASSERT_EQ(tree.log2_width(), 18);
  const GraphMarginals alone = JunctionTree(graph, tree).marginals();
  for (int threads : {2, 7}) {
    const JunctionTree junction_tree(graph, tree, 1e9, threads);
    EXPECT_EQ(junction_tree.marginals().variables, alone.variables);
    EXPECT_EQ(junction_tree.log_partition(), alone.log_z);
  }
  // The same from the sums of all cases of one variable.
  std::vector<VariableId> order;
  for (const VariableId v : find_elimination_order(graph, {.tries = 1}, Random(1)).order)
    if (v != 10) order.push_back(v);
  const ClusterTree conditioned(graph, order);
  for (Value k = 0; k < 4; ++k) {
    std::vector<Value> conditions(25, 0);
    conditions[10] = k;
    EXPECT_NEAR(std::exp(JunctionTree(graph, conditioned).log_partition({}, conditions) - alone.log_z),
                alone.variables[10][k], 1e-11);
  }
}

TEST(JunctionTree, without_variables_or_factors) {
  const FactorGraph nothing;
  const ClusterTree no_tree(nothing, {});
  EXPECT_EQ(JunctionTree(nothing, no_tree).log_partition(), 0);
  FactorGraph::Builder builder;
  builder.add_variable(5);
  const FactorGraph free_variable = builder.build();
  const ClusterTree tree = tree_of(free_variable);
  EXPECT_DOUBLE_EQ(JunctionTree(free_variable, tree).log_partition(), std::log(5));
  EXPECT_DOUBLE_EQ(JunctionTree(free_variable, tree).marginals().variables[0][3], .2);
}

TEST(JunctionTree, marginals_of_scopes) {
  for (std::uint32_t seed = 0; seed < 20; ++seed) {
    const FactorGraph graph = testing::random_graph(kGraphShape, seed);
    const double log_z = testing::enumerate_graph(graph).log_z;
    std::vector<std::vector<VariableId>> scopes;
    for (FactorId f = 0; f < graph.factor_count(); ++f)
      if (!graph.scope(f).empty()) scopes.emplace_back(graph.scope(f).rbegin(), graph.scope(f).rend());
    const ClusterTree tree = tree_of(graph, seed);
    const GraphMarginals marginals = JunctionTree(graph, tree).marginals({}, {}, scopes);
    for (std::size_t i = 0; i < scopes.size(); ++i) {
      Assignment values(scopes[i].size(), 0);
      for (const double p : marginals.scopes[i]) {
        EXPECT_NEAR(p, std::exp(testing::enumerate_log_sum(graph, scopes[i], values) - log_z), 1e-11);
        for (std::size_t j = values.size(); j-- > 0 && ++values[j] == graph.cardinality(scopes[i][j]);) values[j] = 0;
      }
    }
  }
}

TEST(JunctionTree, refuses_marginals_of_scopes_in_no_cluster) {
  const FactorGraph chain = testing::random_grid(1, 9, 2, 1);
  const ClusterTree tree = tree_of(chain);
  const std::vector<std::vector<VariableId>> apart = {{0, 8}}, none = {{}};
  EXPECT_THROW(JunctionTree(chain, tree).marginals({}, {}, apart), std::invalid_argument);
  EXPECT_THROW(JunctionTree(chain, tree).marginals({}, {}, none), std::invalid_argument);
}

TEST(JunctionTree, conditions_are_evidence) {
  for (std::uint32_t seed = 0; seed < 40; ++seed) {
    testing::RandomGraphShape shape = kGraphShape;
    shape.forbidden = .2;
    const FactorGraph graph = testing::random_graph(shape, seed);
    EliminationOptions options;
    options.skipped.assign(8, 0);
    Assignment conditions(8, 0);
    Evidence evidence;
    for (const VariableId v : {seed % 8, (seed + 3) % 8}) {
      options.skipped[v] = 1;
      conditions[v] = static_cast<Value>(graph.cardinality(v) - 1);
      evidence.push_back({v, conditions[v]});
    }
    const Reduction conditioned = condition(graph, evidence);
    const testing::EnumeratedGraph expected = testing::enumerate_graph(*conditioned.graph);
    const ClusterTree tree(graph, find_elimination_order(graph, options, Random(seed)).order);
    const JunctionTree junction_tree(graph, tree);
    expect_near(junction_tree.log_partition({}, conditions), expected.log_z);
    if (!expected.best.found()) continue;
    const ScoredAssignment best = junction_tree.maximise({}, conditions);
    EXPECT_NEAR(best.score, expected.best.score, 1e-10);
    for (const auto& [variable, value] : evidence) EXPECT_EQ(best.values[variable], value);
    const GraphMarginals marginals = junction_tree.marginals({}, conditions);
    for (VariableId v = 0; v < conditioned.variables.size(); ++v)
      expect_near({marginals.variables[conditioned.variables[v]]}, {expected.marginals[v]});
    EXPECT_EQ(marginals.variables[evidence[0].variable][evidence[0].value], 1);
  }
}

TEST(JunctionTree, maximises_sums_when_summed_variables_come_first_and_bounds_them_otherwise) {
  for (std::uint32_t seed = 0; seed < 40; ++seed) {
    testing::RandomGraphShape shape = kGraphShape;
    shape.forbidden = seed % 2 ? .3 : 0;
    const FactorGraph graph = testing::random_graph(shape, seed);
    const std::vector<VariableId> query = {1, 4, 6};
    EliminationOptions options;
    options.last.assign(8, 0);
    for (const VariableId v : query) options.last[v] = 1;
    const ScoredAssignment expected = testing::enumerate_marginal_map(graph, query);
    const ClusterTree tree(graph, find_elimination_order(graph, options, Random(seed)).order, options.last);
    const ScoredAssignment best = JunctionTree(graph, tree).maximise_sum();
    expect_near(best.score, expected.score);
    EXPECT_EQ(best.found(), expected.found());
    if (best.found()) {
      const Assignment chosen = {best.values[1], best.values[4], best.values[6]};
      expect_near(testing::enumerate_log_sum(graph, query, chosen), expected.score);
    }
    const ClusterTree relaxed(graph, find_elimination_order(graph, {}, Random(seed)).order, options.last);
    EXPECT_GE(JunctionTree(graph, relaxed).maximise_sum().score, expected.score - 1e-10);
  }
}

// Clusters of many rows, and rows that reach into own variables: 2^14 joint values where rows have 2^12.
TEST(JunctionTree, two_orders_agree_on_wide_clusters) {
  for (const std::size_t cardinality : {2, 3}) {
    const std::size_t side = cardinality == 2 ? 13 : 7;
    const FactorGraph grid = testing::random_grid(side, side, cardinality, 7);
    std::vector<VariableId> by_rows(grid.variable_count());
    std::iota(by_rows.begin(), by_rows.end(), 0);
    const ClusterTree first = tree_of(grid), second(grid, by_rows);
    const JunctionTree a(grid, first), b(grid, second);
    EXPECT_NEAR(a.log_partition(), b.log_partition(), 1e-9);
    EXPECT_EQ(a.maximise().values, b.maximise().values);
    expect_near(a.marginals().variables, b.marginals().variables);
  }
}

TEST(JunctionTree, one_cluster_of_all_variables) {
  const FactorGraph graph = testing::random_graph(
      {.variable_count = 13, .factor_count = 80, .max_cardinality = 2, .min_arity = 2, .max_arity = 2}, 1);
  const testing::EnumeratedGraph expected = testing::enumerate_graph(graph);
  const ClusterTree tree = tree_of(graph);
  EXPECT_GT(tree.log2_width(), 8);
  EXPECT_NEAR(JunctionTree(graph, tree).log_partition(), expected.log_z, 1e-10);
  expect_near(JunctionTree(graph, tree).marginals().variables, expected.marginals);
}

TEST(JunctionTree, keeps_its_memory_limit) {
  const FactorGraph grid = testing::random_grid(8, 8, 2, 1);
  const ClusterTree tree = tree_of(grid);
  ASSERT_LT(tree.peak_bytes(), tree.message_bytes());
  EXPECT_THROW(JunctionTree(grid, tree, tree.peak_bytes() - 1).log_partition(), LimitError);
  JunctionTree(grid, tree, tree.peak_bytes()).log_partition();
  EXPECT_THROW(JunctionTree(grid, tree, tree.message_bytes() - 1).maximise(), LimitError);
  JunctionTree(grid, tree, tree.message_bytes()).maximise();
  EXPECT_THROW(JunctionTree(grid, tree, tree.marginal_bytes() - 1).marginals(), LimitError);
  JunctionTree(grid, tree, tree.marginal_bytes()).marginals();
}

TEST(JunctionTree, says_when_there_was_no_time) {
  const FactorGraph grid = testing::random_grid(14, 14, 2, 1);
  const ClusterTree tree = tree_of(grid);
  const Stop now{.deadline = Stop::Clock::now()};
  EXPECT_THROW(JunctionTree(grid, tree).log_partition(now), LimitError);
  EXPECT_THROW(JunctionTree(grid, tree).maximise(now), LimitError);
  EXPECT_THROW(JunctionTree(grid, tree).marginals(now), LimitError);
}

}  // namespace
}  // namespace fovea::graph
