// SPDX-License-Identifier: Apache-2.0
#include "fovea/graph/count/weighted_counting.h"

#include <gtest/gtest.h>

#include <cmath>

#include "fovea/base/error.h"
#include "fovea/graph/count/clause_probing.h"
#include "fovea/graph/count/clause_trail.h"
#include "fovea/graph/count/clauses.h"
#include "fovea/graph/count/component_cache.h"
#include "fovea/graph/tables/nogoods.h"
#include "tests/support/enumerate_graph.h"
#include "tests/support/random_graphs.h"

namespace fovea::graph {
namespace {

TEST(WeightedCounting, agrees_with_enumeration) {
  std::size_t infeasible = 0;
  for (const double forbidden : {0.0, .15, .4})
    for (const double scale : {0.0, 1.0})
      for (std::uint32_t seed = 0; seed < 40; ++seed) {
        const FactorGraph graph = testing::random_graph({.variable_count = 9,
                                                         .factor_count = 14,
                                                         .min_cardinality = 1,
                                                         .max_cardinality = seed % 2 ? 2u : 3u,
                                                         .min_arity = 0,
                                                         .max_arity = 4,
                                                         .scale = scale,
                                                         .forbidden = forbidden,
                                                         .shared_tables = .2},
                                                        seed);
        const double expected = testing::enumerate_graph(graph).log_z;
        const double cache_bytes = seed % 4 ? 1e6 : 200;  // one that forgets at once
        const double found = count_weighted(graph, {.cache_bytes = cache_bytes}).log_z;
        infeasible += std::isinf(expected);
        if (std::isinf(expected)) EXPECT_EQ(found, expected);
        else EXPECT_NEAR(found, expected, 1e-10);
      }
  EXPECT_GT(infeasible, 0u);
}

// Random clauses of three where some models just have solutions: most branches end in contradictions that are learned
// from, and components without a solution have siblings whose cached sums must not survive.
TEST(WeightedCounting, agrees_with_enumeration_where_solutions_are_few) {
  std::size_t infeasible = 0;
  for (const double scale : {0.0, .5})
    for (std::uint32_t seed = 0; seed < 60; ++seed) {
      const FactorGraph graph = testing::random_graph({.variable_count = seed % 3 ? 13u : 8u,
                                                       .factor_count = (seed % 3 ? 30 : 20) + seed % 20,
                                                       .min_cardinality = 2,
                                                       .max_cardinality = seed % 3 ? 2u : 3u,
                                                       .min_arity = seed % 2 ? 2u : 3u,
                                                       .max_arity = 3,
                                                       .scale = seed % 4 ? 0.0 : scale,
                                                       .forbidden = .16},
                                                      seed);
      const double expected = testing::enumerate_graph(graph).log_z;
      const WeightedCountingOptions options = {.cache_bytes = seed % 5 ? 1e6 : 500,
                                               .max_learned = seed % 3 ? 2000u : 3u};
      const double found = count_weighted(graph, options).log_z;
      infeasible += std::isinf(expected);
      if (std::isinf(expected)) EXPECT_EQ(found, expected) << seed;
      else EXPECT_NEAR(found, expected, 1e-10) << seed;
    }
  EXPECT_GT(infeasible, 20u);
  EXPECT_LT(infeasible, 100u);
}

TEST(WeightedCounting, counts_independent_sets_of_a_path_with_few_decisions) {
  FactorGraph::Builder builder;
  for (int v = 0; v < 60; ++v) builder.add_variable(2);
  const TableId not_both = builder.add_table(std::vector<double>{0, 0, 0, -INFINITY});
  for (VariableId v = 0; v + 1 < 60; ++v) builder.add_factor(std::vector<VariableId>{v, v + 1}, not_both);
  const WeightedCount count = count_weighted(builder.build(), {});
  EXPECT_NEAR(std::exp(count.log_z - std::log(4052739537881.0)), 1, 1e-12);  // Fibonacci number 62
  EXPECT_LT(count.decisions, 1000u);
  EXPECT_GT(count.cache_hits, 0u);
}

TEST(WeightedCounting, of_nothing) {
  EXPECT_EQ(count_weighted(FactorGraph(), {}).log_z, 0);
  FactorGraph::Builder builder;
  builder.add_variable(2);
  builder.add_factor(std::vector<VariableId>{0}, std::vector<double>(2, -INFINITY));
  EXPECT_EQ(count_weighted(builder.build(), {}).log_z, -INFINITY);
}

TEST(WeightedCounting, says_when_there_was_no_time) {
  const FactorGraph grid = testing::random_grid(6, 6, 2, 1);
  EXPECT_THROW(count_weighted(grid, {}, {.deadline = Stop::Clock::now()}), LimitError);
}

TEST(WeightedCounting, knows_what_is_only_a_constraint) {
  const auto with_table = [](std::vector<double> table) {
    FactorGraph::Builder builder;
    builder.add_variable(2);
    builder.add_variable(2);
    builder.add_factor(std::vector<VariableId>{0}, std::vector<double>{1, 2});
    builder.add_factor(std::vector<VariableId>{0, 1}, table);
    return builder.build();
  };
  EXPECT_TRUE(has_only_constraints(with_table({-INFINITY, 3, 3, -INFINITY})));
  EXPECT_TRUE(has_only_constraints(with_table(std::vector<double>(4, -INFINITY))));
  EXPECT_FALSE(has_only_constraints(with_table({-INFINITY, 3, 3, 2})));
}

TEST(Nogoods, are_short_and_leave_constants) {
  FactorGraph::Builder builder;
  for (int v = 0; v < 3; ++v) builder.add_variable(2);
  const double no = -INFINITY;
  builder.add_factor(std::vector<VariableId>{0, 1, 2}, std::vector<double>{no, no, 2, 2, 2, 2, 2, no});
  builder.add_factor(std::vector<VariableId>{0, 1}, std::vector<double>{1, no, 3, 4});
  const internal::NogoodModel model = internal::extract_nogoods(builder.build(), {});
  // x0 = 0 & x1 = 0; x0 = 0 & x1 = 1 of the second; all three at 1.
  EXPECT_EQ(model.nogoods, (std::vector<std::vector<internal::LiteralId>>{{0, 2}, {0, 3}, {1, 3, 5}}));
  EXPECT_EQ(model.constant, 2);
  EXPECT_EQ(model.soft_factors, (std::vector<FactorId>{1}));
}

TEST(Clauses, of_two_and_of_more_values) {
  FactorGraph::Builder builder;
  builder.add_variable(1);
  builder.add_variable(2);
  builder.add_variable(3);
  builder.add_factor(std::vector<VariableId>{0}, std::vector<double>{.5});
  builder.add_factor(std::vector<VariableId>{1}, std::vector<double>{1, 2});
  builder.add_factor(std::vector<VariableId>{2}, std::vector<double>{3, -INFINITY, 4});
  const internal::ClauseModel model = internal::make_clauses(builder.build(), {});
  EXPECT_EQ(model.constant, .5);
  EXPECT_EQ(model.atom_count(), 4u);  // one, and one for each of three values
  EXPECT_EQ(model.weights, (std::vector<double>{2, 1, 3, 0, 0, 0, 4, 0}));
  EXPECT_EQ(model.clauses, (std::vector<std::vector<internal::Literal>>{{5}, {2, 4, 6}, {3, 5}, {3, 7}, {5, 7}}));
}

TEST(Clauses, of_very_many_values_are_refused) {
  FactorGraph::Builder builder;
  builder.add_variable(4000);
  EXPECT_THROW(internal::make_clauses(builder.build(), {}), LimitError);
}

/// Atoms a, b, c, d with: not a or b; not a or c; not b or not c or d; not b or not c or not d.
internal::ClauseModel a_contradicts() {
  internal::ClauseModel model;
  model.first_atom = {0, 1, 2, 3, 4};
  model.weights.assign(8, 0.0);
  model.clauses = {{1, 2}, {1, 4}, {3, 5, 6}, {3, 5, 7}};
  return model;
}

TEST(ClauseTrail, learns_from_contradictions) {
  internal::ClauseTrail trail(a_contradicts(), 10, {});
  ASSERT_TRUE(trail.start());
  EXPECT_FALSE(trail.decide(0));
  trail.retract();
  for (internal::Atom a = 0; a < 4; ++a) EXPECT_TRUE(trail.is_open(a));
  EXPECT_GT(trail.activity(1), 0);
  EXPECT_TRUE(trail.decide(6));
  EXPECT_TRUE(trail.is_true(1));  // learned: a is false
}

TEST(ClauseTrail, asks_for_the_time) {
  const internal::ClauseModel model = a_contradicts();
  EXPECT_THROW(internal::ClauseTrail(model, 10, Stop{}.within(0)), LimitError);
  EXPECT_THROW(internal::index_clauses(model, Stop{}.within(0)), LimitError);
}

TEST(ClauseProbing, makes_failed_literals_false) {
  const internal::ClauseModel model = a_contradicts();
  const internal::ClauseIndex index = internal::index_clauses(model, {});
  internal::ClauseTrail trail(model, 10, {});
  ASSERT_TRUE(trail.start());
  internal::ClauseProbing probing(index, trail);
  EXPECT_TRUE(probing.probe_all({}));
  EXPECT_TRUE(trail.is_true(1));  // not a
  for (internal::Atom a = 1; a < 4; ++a) EXPECT_TRUE(trail.is_open(a));
}

TEST(ClauseProbing, tries_what_a_decision_made_stronger) {
  const internal::ClauseModel model = a_contradicts();
  const internal::ClauseIndex index = internal::index_clauses(model, {});
  internal::ClauseTrail trail(model, 10, {});
  ASSERT_TRUE(trail.start());
  internal::ClauseProbing probing(index, trail);
  ASSERT_TRUE(trail.decide(4));  // c, which leaves: not b or d, not b or not d
  EXPECT_TRUE(trail.is_open(1));
  EXPECT_TRUE(probing.probe_last_level());
  EXPECT_TRUE(trail.is_true(3));  // not b, and from it not a
  EXPECT_TRUE(trail.is_true(1));
  EXPECT_TRUE(trail.is_open(3));
  trail.retract();
  for (internal::Atom a = 0; a < 4; ++a) EXPECT_TRUE(trail.is_open(a));
}

TEST(ComponentCache, forgets_the_older_half) {
  internal::ComponentCache cache(2 * 80 * 9);  // ten entries per generation
  const auto key = [](std::uint64_t i) {
    internal::SetHash hash;
    hash.add(i);
    return hash;
  };
  for (std::uint64_t i = 0; i < 25; ++i) cache.insert(key(i), static_cast<double>(i));
  EXPECT_EQ(cache.find(key(3)), nullptr);
  ASSERT_NE(cache.find(key(12)), nullptr);
  EXPECT_EQ(*cache.find(key(24)), 24);
}

}  // namespace
}  // namespace fovea::graph
