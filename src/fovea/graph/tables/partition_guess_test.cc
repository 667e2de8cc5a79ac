// SPDX-License-Identifier: Apache-2.0
#include "fovea/graph/tables/partition_guess.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "fovea/base/log_math.h"
#include "tests/support/enumerate_graph.h"
#include "tests/support/random_graphs.h"

namespace fovea::graph {
namespace {

TEST(PartitionGuess, is_an_upper_bound) {
  for (std::uint32_t seed = 0; seed < 40; ++seed) {
    const FactorGraph graph = testing::random_graph(
        {.variable_count = 7, .factor_count = 1 + seed % 9, .min_arity = 0, .forbidden = seed % 2 ? .2 : 0}, seed);
    const auto guess = guess_partition(graph);
    ASSERT_TRUE(guess);
    EXPECT_GE(guess->upper_bound, testing::enumerate_graph(graph).log_z - 1e-10) << seed;
  }
}

TEST(PartitionGuess, bounds_marginal_map) {
  for (std::uint32_t seed = 0; seed < 40; ++seed) {
    const FactorGraph graph = testing::random_graph({.variable_count = 7, .factor_count = 1 + seed % 9}, seed);
    const std::vector<VariableId> query = {seed % 3, 3 + seed % 4};
    std::vector<char> maximised(7, 0);
    for (const VariableId v : query) maximised[v] = 1;
    const auto guess = guess_partition(graph, {}, maximised);
    EXPECT_GE(guess->upper_bound, testing::enumerate_marginal_map(graph, query).score - 1e-10) << seed;
    EXPECT_LE(guess->upper_bound, guess_partition(graph)->upper_bound + 1e-10) << seed;
  }
}

TEST(PartitionGuess, is_exact_where_factors_share_no_variables) {
  FactorGraph::Builder builder;
  for (const std::size_t cardinality : {2, 3, 2, 4}) builder.add_variable(cardinality);
  builder.add_factor(std::vector<VariableId>{2, 0}, std::vector<double>{1, -2, .5, 3});
  builder.add_factor(std::vector<VariableId>{1}, std::vector<double>{-std::numeric_limits<double>::infinity(), 2, 1});
  builder.add_factor({}, std::vector<double>{7});
  const FactorGraph graph = builder.build();
  const auto guess = guess_partition(graph);
  ASSERT_TRUE(guess);
  const double expected = testing::enumerate_graph(graph).log_z;
  EXPECT_NEAR(guess->log_z, expected, 1e-12);
  EXPECT_NEAR(guess->upper_bound, expected, 1e-12);
}

TEST(PartitionGuess, sums_large_tables_in_blocks) {
  FactorGraph::Builder builder;
  builder.add_variable(40000);
  std::vector<double> scores(40000, -std::numeric_limits<double>::infinity());
  for (std::size_t k = 20000; k < scores.size(); ++k) scores[k] = static_cast<double>(k % 1000) / 10;
  builder.add_factor(std::vector<VariableId>{0}, scores);
  const FactorGraph graph = builder.build();
  EXPECT_NEAR(guess_partition(graph)->log_z, testing::enumerate_graph(graph).log_z, 1e-9);
  EXPECT_FALSE(guess_partition(graph, {.deadline = Stop::Clock::time_point::min()}));
}

TEST(PartitionGuess, knows_a_factor_that_forbids_everything) {
  FactorGraph::Builder builder;
  builder.add_variable(2);
  builder.add_factor(std::vector<VariableId>{0}, std::vector<double>{kImpossible, kImpossible});
  const FactorGraph graph = builder.build();
  EXPECT_EQ(guess_partition(graph)->upper_bound, kImpossible);
}

}  // namespace
}  // namespace fovea::graph
