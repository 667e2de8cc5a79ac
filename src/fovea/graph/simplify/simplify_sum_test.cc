// SPDX-License-Identifier: Apache-2.0
#include "fovea/graph/simplify/simplify_sum.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "fovea/base/error.h"
#include "tests/support/enumerate_graph.h"
#include "tests/support/random_graphs.h"

namespace fovea::graph {
namespace {

TEST(SimplifySum, keeps_log_z) {
  std::size_t infeasible = 0;
  for (const double forbidden : {0.0, .2, .5})
    for (const std::size_t max_table_entries : {1, 16})
      for (std::uint32_t seed = 0; seed < 40; ++seed) {
        const FactorGraph graph = testing::random_graph({.variable_count = 8,
                                                         .factor_count = 20,
                                                         .min_cardinality = 1,
                                                         .max_cardinality = 4,
                                                         .min_arity = 0,
                                                         .max_arity = seed % 2 ? 2u : 3u,
                                                         .scale = seed % 3 ? 1.0 : 0.0,
                                                         .forbidden = forbidden},
                                                        seed);
        const double expected = testing::enumerate_graph(graph).log_z;
        try {
          const FactorGraph simple = simplify_sum(graph, {.max_table_entries = max_table_entries});
          const double found = testing::enumerate_graph(simple).log_z;
          if (std::isinf(expected)) EXPECT_EQ(found, expected);
          else EXPECT_NEAR(found, expected, 1e-9);
        } catch (const InfeasibleError&) {
          EXPECT_EQ(expected, -INFINITY);
          ++infeasible;
        }
      }
  EXPECT_GT(infeasible, 0u);
}

TEST(SimplifySum, leaves_what_is_expensive) {
  const FactorGraph dense = testing::random_graph(
      {.variable_count = 7, .factor_count = 200, .min_cardinality = 3, .min_arity = 1, .max_arity = 2}, 1);
  const FactorGraph simple = simplify_sum(dense);
  EXPECT_EQ(simple.variable_count(), 7u);
  EXPECT_LE(simple.factor_count(), 7u + 21u);
  EXPECT_NEAR(testing::enumerate_graph(simple).log_z, testing::enumerate_graph(dense).log_z, 1e-9);
}

TEST(SimplifySum, a_chain_becomes_a_constant) {
  const FactorGraph chain = testing::random_grid(1, 200, 3, 1);
  EXPECT_EQ(simplify_sum(chain).variable_count(), 0u);
  EXPECT_EQ(simplify_sum(chain).factor_count(), 1u);
}

TEST(SimplifySum, merges_values_that_differ_by_a_constant) {
  const FactorGraph grid = testing::random_grid(6, 6, 2, 1);
  FactorGraph::Builder builder;  // value 2 behaves as value 1 does, with another weight
  for (VariableId v = 0; v < 36; ++v) builder.add_variable(3);
  for (FactorId f = 0; f < grid.factor_count(); ++f) {
    std::vector<double> table;
    const bool is_unary = grid.scope(f).size() == 1;
    for (std::size_t a = 0; a < (is_unary ? 1 : 3); ++a)
      for (std::size_t b = 0; b < 3; ++b)
        table.push_back(grid.table(f)[std::min<std::size_t>(a, 1) * 2 + std::min<std::size_t>(b, 1)] +
                        (b == 2 ? -1 : 0));
    builder.add_factor(grid.scope(f), table);
  }
  EXPECT_EQ(simplify_sum(builder.build(), {.max_table_entries = 1}).max_cardinality(), 2u);
}

TEST(SimplifySum, splits_factors_of_independent_variables) {
  FactorGraph::Builder builder;  // x2 switches between x0 and x1, and a clique holds them together
  for (int v = 0; v < 5; ++v) builder.add_variable(2);
  std::vector<double> product;
  for (const double a : {1.0, 2.0})
    for (const double b : {0.5, 4.0})
      for (const double c : {3.0, -static_cast<double>(INFINITY)}) product.push_back(a + b * (c > 0 ? 1 : 2) + c);
  builder.add_factor(std::vector<VariableId>{0, 1, 2}, product);
  const FactorGraph graph = builder.build();
  const FactorGraph simple = simplify_sum(graph);
  EXPECT_EQ(simple.variable_count(), 0u);
  EXPECT_NEAR(testing::enumerate_graph(simple).log_z, testing::enumerate_graph(graph).log_z, 1e-12);
}

/// known: grows by the number of variables whose marginals the smaller model gives.
void expect_marginals_are_kept(const FactorGraph& graph, const SumSimplificationOptions& options, std::size_t& known) {
  const testing::EnumeratedGraph expected = testing::enumerate_graph(graph);
  const MarginalSimplification simple = simplify_for_marginals(graph, options);
  const testing::EnumeratedGraph found = testing::enumerate_graph(simple.graph());
  EXPECT_NEAR(found.log_z, expected.log_z, 1e-9);
  const std::vector<std::vector<double>> lifted = simple.lift(found.marginals);
  ASSERT_EQ(lifted.size(), expected.marginals.size());
  EXPECT_EQ(simple.leaves_out(), std::ranges::count(lifted, std::vector<double>()) > 0);
  for (std::size_t v = 0; v < lifted.size(); ++v) {
    if (lifted[v].empty()) continue;
    known += 1;
    ASSERT_EQ(lifted[v].size(), expected.marginals[v].size());
    for (std::size_t k = 0; k < lifted[v].size(); ++k) EXPECT_NEAR(lifted[v][k], expected.marginals[v][k], 1e-10);
  }
}

TEST(SimplifyForMarginals, keeps_marginals_and_log_z) {
  std::size_t known = 0;
  for (const double forbidden : {0.0, .2, .4})
    for (const std::size_t max_table_entries : {1, 16, 64})
      for (std::uint32_t seed = 0; seed < 30; ++seed)
        expect_marginals_are_kept(testing::random_graph({.variable_count = 7,
                                                         .factor_count = seed % 2 ? 9u : 16u,
                                                         .min_cardinality = 1,
                                                         .max_cardinality = 3,
                                                         .min_arity = 0,
                                                         .max_arity = seed % 4 < 2 ? 2u : 3u,
                                                         .scale = seed % 3 ? 1.0 : 0.0,
                                                         .forbidden = forbidden,
                                                         .is_feasible = true},
                                                        seed),
                                  {.max_table_entries = max_table_entries}, known);
  EXPECT_GT(known, 260u * 7);  // of 270 * 7
}

/// Two cliques of six variables, too dense to be summed out, meet only in a child of one variable each. Its sum is 1:
/// the simplified model has them independent, while the marginals of the child need its parents together.
FactorGraph child_of_two_cliques() {
  FactorGraph::Builder builder;
  for (int v = 0; v < 13; ++v) builder.add_variable(2);
  for (VariableId clique : {0u, 6u})
    for (VariableId a = clique; a < clique + 6; ++a)
      for (VariableId b = a + 1; b < clique + 6; ++b)
        builder.add_factor(std::vector<VariableId>{a, b}, std::vector<double>{.1 * (a + 1), 0, 0, .07 * (b + 1)});
  std::vector<double> child;
  for (const double p : {.1, .5, .8, .9})
    for (const double q : {p, 1 - p}) child.push_back(std::log(q));
  builder.add_factor(std::vector<VariableId>{0, 6, 12}, child);
  return builder.build();
}

TEST(SimplifyForMarginals, leaves_out_a_child_whose_parents_became_independent) {
  std::size_t known = 0;
  expect_marginals_are_kept(child_of_two_cliques(), {}, known);
  EXPECT_EQ(known, 12u);
}

// Values 0, 1 and 2 of x0 look alike to x1: what weighs them are shares. Value 3 is impossible.
TEST(SimplifyForMarginals, shares_out_what_merged_values_weigh) {
  FactorGraph::Builder builder;
  builder.add_variable(4);
  builder.add_variable(2);
  builder.add_factor(std::vector<VariableId>{0}, std::vector<double>{0, std::log(2), std::log(5), -INFINITY});
  builder.add_factor(std::vector<VariableId>{0, 1}, std::vector<double>{0, 1, 0, 1, 0, 1, 0, 0});
  const MarginalSimplification simple = simplify_for_marginals(builder.build());
  EXPECT_EQ(simple.graph().variable_count(), 0u);
  const auto marginals = simple.lift(testing::enumerate_graph(simple.graph()).marginals);
  const std::vector<double> expected = {.125, .25, .625, 0};
  for (std::size_t k = 0; k < 4; ++k) EXPECT_NEAR(marginals[0][k], expected[k], 1e-12);
}

TEST(SimplifyForMarginals, stops_with_what_it_has) {
  const FactorGraph grid = testing::random_grid(3, 3, 2, 1);
  const MarginalSimplification same = simplify_for_marginals(grid, {}, {.deadline = Stop::Clock::now()});
  EXPECT_EQ(same.graph().variable_count(), 9u);
  EXPECT_EQ(same.lift(testing::enumerate_graph(grid).marginals), testing::enumerate_graph(grid).marginals);
}

TEST(SimplifySum, stops_with_what_it_has) {
  const FactorGraph grid = testing::random_grid(3, 3, 2, 1);
  const FactorGraph same = simplify_sum(grid, {}, {.deadline = Stop::Clock::now()});
  EXPECT_EQ(same.variable_count(), 9u);
  EXPECT_NEAR(testing::enumerate_graph(same).log_z, testing::enumerate_graph(grid).log_z, 1e-12);
}

}  // namespace
}  // namespace fovea::graph
