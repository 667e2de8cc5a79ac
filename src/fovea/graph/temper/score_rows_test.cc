// SPDX-License-Identifier: Apache-2.0
#include "fovea/graph/temper/score_rows.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>

#include "fovea/base/log_math.h"
#include "fovea/base/random.h"
#include "tests/support/random_graphs.h"

namespace fovea::graph {
namespace {

constexpr double kPenalty = 100;

double softened(double score) { return std::isinf(score) ? -kPenalty : score; }

/// The sum of softened factors by definition.
double soft_score(const FactorGraph& graph, const Assignment& y) {
  double sum = 0;
  for (FactorId f = 0; f < graph.factor_count(); ++f) sum += softened(graph.factor_score(f, y));
  return sum;
}

double soft_conditional(const FactorGraph& graph, VariableId v, Assignment y, Value value) {
  y[v] = value;
  double sum = 0;
  for (const auto& [factor, position] : graph.incidences(v)) sum += softened(graph.factor_score(factor, y));
  return sum;
}

void expect_exact(const FactorGraph& graph, const ScoreRows& rows) {
  EXPECT_NEAR(rows.score(), soft_score(graph, rows.values()), 1e-9);
  for (VariableId v = 0; v < graph.variable_count(); ++v) {
    ASSERT_EQ(rows.row(v).size(), graph.cardinality(v));
    for (Value k = 0; k < graph.cardinality(v); ++k)
      ASSERT_NEAR(rows.row(v)[k], soft_conditional(graph, v, rows.values(), k), 1e-9) << v << " " << k;
  }
}

Assignment random_values(const FactorGraph& graph, Random& random) {
  Assignment y;
  for (const std::uint32_t cardinality : graph.cardinalities())
    y.push_back(static_cast<Value>(random.uniform_index(cardinality)));
  return y;
}

class ScoreRowsTest : public ::testing::TestWithParam<int> {};

TEST_P(ScoreRowsTest, StayExactUnderAnyChange) {
  const FactorGraph graph = testing::random_graph({.variable_count = 7,
                                                   .factor_count = 16,
                                                   .max_cardinality = 4,
                                                   .min_arity = 0,
                                                   .max_arity = 4,
                                                   .forbidden = .2,
                                                   .shared_tables = .5},
                                                  static_cast<std::uint32_t>(GetParam()));
  const SoftTables tables = SoftTables::build(graph, kPenalty).value();
  Random random(static_cast<std::uint64_t>(GetParam()));
  ScoreRows rows(tables, random_values(graph, random));
  expect_exact(graph, rows);
  for (int i = 0; i < 30; ++i) {
    const auto v = static_cast<VariableId>(random.uniform_index(7));
    const auto value = static_cast<Value>(random.uniform_index(static_cast<std::uint32_t>(graph.cardinality(v))));
    Assignment after = rows.values();
    after[v] = value;
    EXPECT_NEAR(rows.gain(v, value), soft_score(graph, after) - soft_score(graph, rows.values()), 1e-9);
    rows.assign(v, value);
    expect_exact(graph, rows);
  }
  Assignment near = rows.values();
  near[0] = 0;
  rows.assign(near);
  expect_exact(graph, rows);
  rows.assign(random_values(graph, random));
  expect_exact(graph, rows);
}

TEST_P(ScoreRowsTest, GreedyDescentEndsWhereNoVariableCanImprove) {
  const FactorGraph graph =
      testing::random_graph({.variable_count = 9, .factor_count = 20}, static_cast<std::uint32_t>(GetParam()));
  const SoftTables tables = SoftTables::build(graph, kPenalty).value();
  ScoreRows rows(tables, Assignment(9, 0));
  const double before = rows.score();
  EXPECT_GE(descend_greedily(rows), 9u);
  EXPECT_GE(rows.score(), before);
  for (VariableId v = 0; v < 9; ++v)
    for (Value k = 0; k < graph.cardinality(v); ++k) EXPECT_LE(rows.gain(v, k), 1e-9);
}

INSTANTIATE_TEST_SUITE_P(Seeds, ScoreRowsTest, ::testing::Range(1, 21));

/// One table used by factors of shapes 2x6, 3x4 and 4x3: their transposed copies differ.
TEST(SoftTablesTest, KeepApartWhatIsSharedByFactorsOfSeveralShapes) {
  FactorGraph::Builder builder;
  for (const std::size_t cardinality : {2, 6, 3, 4}) builder.add_variable(cardinality);
  std::vector<double> entries;
  for (int i = 0; i < 12; ++i) entries.push_back(i * i);
  const TableId table = builder.add_table(entries);
  for (const auto& scope : {std::vector<VariableId>{0, 1}, {2, 3}, {3, 2}, {0, 1}}) builder.add_factor(scope, table);
  const FactorGraph graph = builder.build();
  const SoftTables tables = SoftTables::build(graph, kPenalty).value();
  ScoreRows rows(tables, {1, 4, 2, 3});
  expect_exact(graph, rows);
  rows.assign(1, 2);
  rows.assign(2, 0);
  expect_exact(graph, rows);
}

TEST(SoftTablesTest, ReadTablesWithoutConstraintsWhereTheGraphKeepsThem) {
  FactorGraph::Builder builder;
  for (int v = 0; v < 4; ++v) builder.add_variable(2);
  builder.add_factor(std::array<VariableId, 2>{0, 1}, std::vector<double>{1, 2, 2, 3});
  builder.add_factor(std::array<VariableId, 2>{1, 2}, std::vector<double>{1, 2, 4, 3});
  builder.add_factor(std::array<VariableId, 2>{2, 3}, std::vector<double>{1, kImpossible, 4, 3});
  const FactorGraph graph = builder.build();
  const SoftTables tables = SoftTables::build(graph, kPenalty).value();
  EXPECT_EQ(tables.slices(0)[0].table, graph.table(0).data());
  EXPECT_EQ(tables.slices(1)[0].table, graph.table(0).data()) << "a symmetric table is its own transpose";
  EXPECT_EQ(tables.slices(1)[1].table, graph.table(1).data());
  EXPECT_EQ(tables.slices(2)[0].table[1], 4) << "transposed";
  EXPECT_EQ(tables.slices(2)[1].table[1], -kPenalty);
  ScoreRows rows(tables, {1, 0, 1, 0});
  expect_exact(graph, rows);
  rows.assign(3, 1);
  rows.assign(1, 1);
  expect_exact(graph, rows);
}

TEST(SoftTablesTest, NothingIsBuiltAfterAStop) {
  const FactorGraph graph = testing::random_grid(3, 3, 2, 1);
  const Stop late{.deadline = Stop::Clock::time_point::min()};
  EXPECT_FALSE(SoftTables::build(graph, kPenalty, late).has_value());
}

TEST(SoftTablesTest, TheDefaultPenaltyExceedsEveryRange) {
  FactorGraph::Builder builder;
  builder.add_variable(3);
  builder.add_factor(std::vector<VariableId>{0}, std::vector<double>{-5, 2, -INFINITY});
  EXPECT_GT(default_violation_penalty(builder.build()), 7);
}

TEST(SoftTablesTest, ThePenaltyOfALargeModelIsCutShort) {
  FactorGraph::Builder builder;
  builder.add_variable(400);
  builder.add_variable(300);
  std::vector<double> scores(400 * 300, 0);
  scores.back() = 50;
  builder.add_factor(std::vector<VariableId>{0, 1}, scores);
  const FactorGraph graph = builder.build();
  EXPECT_EQ(default_violation_penalty(graph, {.deadline = Stop::Clock::time_point::min()}), 1);
  EXPECT_GT(default_violation_penalty(graph), 50);
}

}  // namespace
}  // namespace fovea::graph
