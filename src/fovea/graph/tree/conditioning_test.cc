// SPDX-License-Identifier: Apache-2.0
#include "fovea/graph/tree/conditioning.h"

#include <gtest/gtest.h>

#include <cmath>

#include "fovea/base/error.h"
#include "tests/support/enumerate_graph.h"
#include "tests/support/random_graphs.h"

namespace fovea::graph {
namespace {

TEST(CutsetConditioning, agrees_with_enumeration_at_any_memory_limit) {
  std::size_t conditioned = 0;
  for (const double memory_limit : {1e9, 300.0, 100.0})
    for (std::uint32_t seed = 0; seed < 25; ++seed) {
      const FactorGraph graph = testing::random_graph(
          {.variable_count = 8, .factor_count = 10, .min_cardinality = 1, .forbidden = seed % 2 ? .4 : 0}, seed);
      const testing::EnumeratedGraph expected = testing::enumerate_graph(graph);
      const auto method = CutsetConditioning::plan(graph, {.memory_limit = memory_limit}, Random(seed));
      ASSERT_TRUE(method);
      EXPECT_LE(method->tree().marginal_bytes(), memory_limit);
      conditioned += method->cutset().size();
      if (!expected.best.found()) {
        EXPECT_EQ(method->log_partition(), -INFINITY);
        EXPECT_THROW(method->maximise(), InfeasibleError);
        EXPECT_THROW(method->marginals(), InfeasibleError);
        continue;
      }
      EXPECT_NEAR(method->log_partition(), expected.log_z, 1e-10);
      EXPECT_NEAR(method->maximise().score, expected.best.score, 1e-10);
      EXPECT_EQ(graph.log_score(method->maximise().values), method->maximise().score);
      const GraphMarginals marginals = method->marginals();
      EXPECT_NEAR(marginals.log_z, expected.log_z, 1e-10);
      for (VariableId v = 0; v < 8; ++v)
        for (std::size_t k = 0; k < graph.cardinality(v); ++k)
          EXPECT_NEAR(marginals.variables[v][k], expected.marginals[v][k], 1e-11);
    }
  EXPECT_GT(conditioned, 10u);
}

TEST(CutsetConditioning, breaks_the_loop_of_a_ring) {
  FactorGraph::Builder builder;
  for (int v = 0; v < 30; ++v) builder.add_variable(3);
  const std::vector<double> table = {1, 0, 0, 0, 1, 0, 0, 0, 1};
  for (VariableId v = 0; v < 30; ++v) builder.add_factor(std::vector<VariableId>{v, (v + 1) % 30}, table);
  const FactorGraph ring = builder.build();
  const double all = CutsetConditioning::plan(ring, {}, Random(1))->tree().marginal_bytes();
  const auto method = CutsetConditioning::plan(ring, {.memory_limit = all / 2}, Random(1));
  EXPECT_EQ(method->cutset().size(), 1u);
  EXPECT_DOUBLE_EQ(method->operations(), 3 * method->tree().operations());
  // Eigenvalues of the transfer matrix: e + 2, e - 1, e - 1.
  const double e = std::exp(1);
  EXPECT_NEAR(method->log_partition(), 30 * std::log(e + 2) + std::log1p(2 * std::pow((e - 1) / (e + 2), 30)), 1e-10);
}

TEST(CutsetConditioning, gives_up_what_would_take_too_long) {
  const FactorGraph grid = testing::random_grid(10, 10, 2, 1);
  EXPECT_FALSE(CutsetConditioning::plan(grid, {.memory_limit = 2000, .max_operations = 1e4}, Random(1)));
  EXPECT_TRUE(CutsetConditioning::plan(grid, {.memory_limit = 2000}, Random(1)));
  EXPECT_THROW(
      CutsetConditioning::plan(testing::random_grid(90, 90, 2, 1), {}, Random(1), {.deadline = Stop::Clock::now()}),
      LimitError);
}

}  // namespace
}  // namespace fovea::graph
