// SPDX-License-Identifier: Apache-2.0
#include "fovea/graph/propagation/dual_bound.h"

#include <gtest/gtest.h>

#include <random>

#include "fovea/base/error.h"
#include "fovea/base/log_math.h"
#include "tests/support/enumerate_graph.h"
#include "tests/support/random_graphs.h"
#include "tests/support/random_trees.h"
#include "tests/support/two_modes.h"

namespace fovea::graph {
namespace {

constexpr std::uint32_t kBoundTrials = 150;

/// Small graphs of every kind: with constants, unary factors, hard constraints, shared tables, variables of one value.
FactorGraph any_graph(std::uint32_t seed) {
  std::mt19937 engine(seed);
  const auto draw = [&](std::size_t low, std::size_t high) {
    return std::uniform_int_distribution<std::size_t>(low, high)(engine);
  };
  const std::size_t variable_count = draw(1, 7);
  return testing::random_graph({.variable_count = variable_count,
                                .factor_count = draw(0, 13),
                                .min_cardinality = draw(1, 2),
                                .max_cardinality = 3,
                                .min_arity = 0,
                                .max_arity = draw(1, 4),
                                .scale = draw(0, 1) ? 1.0 : 10.0,
                                .forbidden = 0.25 * static_cast<double>(draw(0, 2)),
                                .shared_tables = 0.3},
                               seed);
}

TEST(DualBoundTest, NeverLiesBelowTheOptimumAndNeverRises) {
  for (std::uint32_t seed = 0; seed < kBoundTrials; ++seed) {
    const FactorGraph graph = any_graph(seed);
    const testing::EnumeratedGraph exact = testing::enumerate_graph(graph);
    DualBound bound(graph, {.tolerance = 0});
    double previous = kInfinity;
    for (int i = 0; i < 8 && !bound.is_finished(); ++i) {
      bound.run(1);
      EXPECT_LE(bound.last_bound(), previous + 1e-9) << "seed " << seed;
      EXPECT_GE(bound.upper_bound(), exact.best.score - 1e-9) << "seed " << seed;
      previous = bound.last_bound();
    }
    if (!bound.best().found()) continue;
    EXPECT_EQ(bound.best().score, graph.log_score(bound.best().values)) << "seed " << seed;
    EXPECT_LE(bound.best().score, exact.best.score + 1e-9) << "seed " << seed;
  }
}

TEST(DualBoundTest, IsTightOnTreesOfAnyArity) {
  for (std::uint32_t seed = 0; seed < kBoundTrials; ++seed) {
    const FactorGraph graph = testing::random_tree({.factor_count = seed % 5, .forbidden = 0.2 * (seed % 2)}, seed);
    const testing::EnumeratedGraph exact = testing::enumerate_graph(graph);
    DualBound bound(graph, {.tolerance = 0});
    bound.run(200);
    EXPECT_NEAR(bound.upper_bound(), exact.best.score, 1e-9) << "seed " << seed;
    EXPECT_NEAR(bound.best().score, exact.best.score, 1e-9) << "seed " << seed;
  }
}

TEST(DualBoundTest, FindsThatConstraintsContradictEachOther) {
  const FactorGraph graph = testing::contradiction();
  DualBound bound(graph);
  bound.run(10);
  EXPECT_EQ(bound.upper_bound(), -kInfinity);
  EXPECT_TRUE(bound.is_finished());
  EXPECT_FALSE(bound.best().found());
}

TEST(DualBoundTest, IsTightOnAttractiveBinaryGrids) {
  std::mt19937 engine(7);
  std::normal_distribution<double> normal;
  FactorGraph::Builder builder;
  for (int v = 0; v < 16; ++v) builder.add_variable(2);
  for (VariableId v = 0; v < 16; ++v) {
    builder.add_factor(std::vector<VariableId>{v}, std::vector<double>{normal(engine), normal(engine)});
    const double strength = std::abs(normal(engine));
    const std::vector<double> table = {strength, 0, 0, strength};
    if (v % 4 < 3) builder.add_factor(std::vector<VariableId>{v, v + 1}, table);
    if (v < 12) builder.add_factor(std::vector<VariableId>{v, v + 4}, table);
  }
  const FactorGraph graph = builder.build();
  DualBound bound(graph);
  bound.run(1000);
  EXPECT_NEAR(bound.upper_bound(), testing::enumerate_graph(graph).best.score, 1e-4);
}

TEST(DualBoundTest, SeveralRunsEqualOne) {
  const FactorGraph graph = testing::random_grid(6, 6, 3, 5);
  DualBound once(graph), twice(graph);
  once.run(16);
  twice.run(8);
  twice.run(8);
  EXPECT_EQ(once.upper_bound(), twice.upper_bound());
  EXPECT_EQ(once.best().values, twice.best().values);
  EXPECT_EQ(once.iterations(), twice.iterations());
}

TEST(DualBoundTest, ConvergesAndThenDoesNoMore) {
  const FactorGraph graph = testing::random_grid(4, 4, 3, 5);
  DualBound bound(graph, {.tolerance = 1e-6});
  bound.run(100000);
  EXPECT_TRUE(bound.is_finished());
  EXPECT_LT(bound.iterations(), 100000u);
  EXPECT_EQ(bound.run(1).factors, 0u);
}

TEST(DualBoundTest, StopsAtOnceAndCanGoOn) {
  CancelToken cancel;
  cancel.cancel();
  const FactorGraph graph = testing::random_grid(100, 100, 4, 5);
  DualBound bound(graph), straight(graph);
  bound.run(10, {.cancel = &cancel});
  EXPECT_EQ(bound.iterations(), 0u);
  EXPECT_EQ(bound.upper_bound(), kInfinity);
  bound.run(4);
  straight.run(4);
  EXPECT_EQ(bound.upper_bound(), straight.upper_bound());
}

TEST(DualBoundTest, RefusesOptionsOutOfRange) {
  const FactorGraph graph = testing::random_grid(2, 2, 2, 5);
  EXPECT_THROW(DualBound(graph, {.tolerance = -1}), UsageError);
  EXPECT_THROW(DualBound(graph, {.decode_period = 0}), UsageError);
}

TEST(PottsTablesTest, MaximiseLikeTheWholeTable) {
  std::mt19937 engine(3);
  std::normal_distribution<double> normal;
  constexpr std::size_t kCardinality = PottsTables::kMinCardinality;
  for (int trial = 0; trial < 20; ++trial) {
    const double same = normal(engine), different = trial == 0 ? -kInfinity : normal(engine);
    std::vector<double> table(kCardinality * kCardinality, different), vector(kCardinality), message(kCardinality);
    for (std::size_t k = 0; k < kCardinality; ++k) table[k * kCardinality + k] = same;
    for (double& x : vector) x = trial == 1 ? 0 : normal(engine);
    FactorGraph::Builder builder;
    builder.add_variable(kCardinality);
    builder.add_variable(kCardinality);
    builder.add_factor(std::vector<VariableId>{0, 1}, table);
    table[1] += 1;
    builder.add_factor(std::vector<VariableId>{0, 1}, table);
    const FactorGraph graph = builder.build();
    const PottsTables potts(graph);
    ASSERT_TRUE(potts.contains(0));
    EXPECT_EQ(potts.contains(1), different == -kInfinity);
    potts.maximize(0, vector.data(), kCardinality, message.data());
    for (std::size_t x = 0; x < kCardinality; ++x) {
      double expected = -kInfinity;
      for (std::size_t k = 0; k < kCardinality; ++k)
        expected = std::max(expected, vector[k] + (k == x ? same : different));
      EXPECT_EQ(message[x], expected);
    }
  }
}

}  // namespace
}  // namespace fovea::graph
