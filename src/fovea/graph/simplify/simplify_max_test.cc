// SPDX-License-Identifier: Apache-2.0
#include "fovea/graph/simplify/simplify_max.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "fovea/base/error.h"
#include "fovea/base/log_math.h"
#include "tests/support/enumerate_graph.h"
#include "tests/support/random_graphs.h"

namespace fovea::graph {
namespace {

/// Checks everything that the header promises about one model.
void expect_same_maximum(const FactorGraph& graph, const MaxSimplificationOptions& options) {
  const ScoredAssignment best = testing::enumerate_graph(graph).best;
  MaxSimplification simplified;
  try {
    simplified = simplify_max(graph, options);
  } catch (const InfeasibleError&) {
    EXPECT_FALSE(best.found());
    return;
  }
  const ScoredAssignment reduced_best = testing::enumerate_graph(simplified.graph).best;
  ASSERT_EQ(reduced_best.found(), best.found());
  if (!best.found()) return;
  EXPECT_NEAR(reduced_best.score, best.score, 1e-9);
  EXPECT_NEAR(graph.log_score(simplified.lift(reduced_best.values)), best.score, 1e-9);
  testing::for_each_assignment(simplified.graph, [&](const Assignment& y, double score) {
    if (std::isinf(score)) return;
    const Assignment whole = simplified.lift(y);
    EXPECT_NEAR(graph.log_score(whole), score, 1e-9);
    EXPECT_EQ(simplified.restrict(whole), y);
  });
  testing::for_each_assignment(graph, [&](const Assignment& y, double score) {
    if (std::isinf(score)) return;
    EXPECT_GE(simplified.graph.log_score(simplified.restrict(y)), score - 1e-9);
  });
}

TEST(SimplifyMax, keeps_the_maximum_of_random_models) {
  for (std::uint32_t seed = 0; seed < 120; ++seed) {
    SCOPED_TRACE(seed);
    const testing::RandomGraphShape shape{.variable_count = 1 + seed % 7,
                                          .factor_count = 2 + seed % 11,
                                          .min_cardinality = 1,
                                          .max_cardinality = 4,
                                          .min_arity = 0,
                                          .max_arity = 1 + seed % 4,
                                          .forbidden = seed % 3 == 0 ? .3 : 0,
                                          .shared_tables = .3};
    expect_same_maximum(testing::random_graph(shape, seed), {.max_table_entries = std::size_t{1} << (seed % 5)});
  }
}

/// Every second variable is a function of the one before, in either order of the scope.
TEST(SimplifyMax, puts_variables_for_their_functions) {
  for (std::uint32_t seed = 0; seed < 60; ++seed) {
    SCOPED_TRACE(seed);
    std::mt19937 engine(seed);
    const auto draw = [&](int below) { return std::uniform_int_distribution<int>(0, below - 1)(engine); };
    FactorGraph::Builder builder;
    for (int v = 0; v < 6; ++v) builder.add_variable(4);
    for (VariableId v = 0; v < 6; v += 2) {
      std::vector<double> table(16, kImpossible);
      std::vector<std::size_t> partner = {0, 1, 2, 3};
      std::shuffle(partner.begin(), partner.end(), engine);
      for (std::size_t a = 0; a < 4; ++a)
        if (draw(5) > 0) table[seed % 2 == 0 ? a * 4 + partner[a] : partner[a] * 4 + a] = -draw(9);
      const std::vector<VariableId> scope = seed % 2 == 0 ? std::vector{v, v + 1} : std::vector{v + 1, v};
      builder.add_factor(scope, builder.add_table(table));
    }
    for (int f = 0; f < 9; ++f) {
      std::vector<VariableId> scope = {0, 1, 2, 3, 4, 5};
      std::shuffle(scope.begin(), scope.end(), engine);
      scope.resize(static_cast<std::size_t>(1 + draw(2)));
      std::vector<double> table(std::size_t{1} << (2 * scope.size()));
      for (double& score : table) score = -draw(20);
      builder.add_factor(scope, builder.add_table(table));
    }
    const FactorGraph graph = builder.build();
    expect_same_maximum(graph, {.max_table_entries = 1, .max_neighbours = 0});
    try {
      EXPECT_LE(simplify_max(graph, {.max_table_entries = 1, .max_neighbours = 0}).variables.size(), 3u);
    } catch (const InfeasibleError&) {
    }
  }
}

TEST(SimplifyMax, keeps_the_maximum_where_values_are_dominated) {
  for (std::uint32_t seed = 0; seed < 30; ++seed) {
    SCOPED_TRACE(seed);
    // Strong unary scores next to weak interactions.
    FactorGraph::Builder builder;
    std::mt19937 engine(seed);
    std::normal_distribution<double> normal(0, 1);
    for (int v = 0; v < 7; ++v) builder.add_variable(3);
    for (VariableId v = 0; v < 7; ++v)
      builder.add_factor(std::vector{v}, std::vector{2 * normal(engine), 2 * normal(engine), 2 * normal(engine)});
    for (VariableId u = 0; u < 7; ++u)
      for (VariableId v = u + 1; v < 7; ++v) {
        std::vector<double> table(9);
        for (double& score : table) score = .2 * normal(engine);
        builder.add_factor(std::vector{u, v}, table);
      }
    expect_same_maximum(builder.build(), {.max_table_entries = 1});
  }
}

TEST(SimplifyMax, a_tree_vanishes) {
  const FactorGraph chain = testing::random_grid(1, 9, 3, 4);
  const MaxSimplification simplified = simplify_max(chain, {.max_table_entries = 1});
  EXPECT_EQ(simplified.graph.variable_count(), 0u);
  EXPECT_NEAR(simplified.graph.log_score({}), testing::enumerate_graph(chain).best.score, 1e-9);
}

TEST(SimplifyMax, a_limit_keeps_tables_small_and_shared) {
  FactorGraph::Builder builder;
  for (int v = 0; v < 36; ++v) builder.add_variable(2);
  const TableId shared = builder.add_table(std::vector{0.0, 1.0, 1.0, 0.0});
  for (VariableId v = 0; v < 36; ++v) {
    if (v % 6 != 5) builder.add_factor(std::vector{v, v + 1}, shared);
    if (v / 6 != 5) builder.add_factor(std::vector{v, v + 6}, shared);
  }
  const MaxSimplification simplified = simplify_max(builder.build(), {.max_table_entries = 1});
  EXPECT_GT(simplified.graph.variable_count(), 10u);
  EXPECT_LT(simplified.graph.variable_count(), 36u);
  EXPECT_LT(simplified.graph.table_count(), simplified.graph.factor_count());
}

TEST(SimplifyMax, says_when_nothing_is_possible) {
  FactorGraph::Builder builder;
  const VariableId a = builder.add_variable(2), b = builder.add_variable(2);
  builder.add_factor(std::vector{a, b}, std::vector<double>{0, -INFINITY, -INFINITY, 0});
  builder.add_factor(std::vector{a, b}, std::vector<double>{-INFINITY, 0, 0, -INFINITY});
  EXPECT_THROW(simplify_max(builder.build()), InfeasibleError);
}

TEST(SimplifyMax, stops_with_a_valid_model) {
  const FactorGraph grid = testing::random_grid(3, 3, 2, 1);
  const MaxSimplification simplified = simplify_max(grid, {}, {.deadline = Stop::Clock::time_point::min()});
  EXPECT_EQ(simplified.graph.variable_count(), 9u);
  EXPECT_NEAR(testing::enumerate_graph(simplified.graph).best.score, testing::enumerate_graph(grid).best.score, 1e-9);
}

}  // namespace
}  // namespace fovea::graph
