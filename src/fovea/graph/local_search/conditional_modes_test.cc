// SPDX-License-Identifier: Apache-2.0
#include "fovea/graph/local_search/conditional_modes.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <limits>
#include <vector>

#include "fovea/base/random.h"

namespace fovea::graph {
namespace {

using ::testing::ElementsAre;

/// A grid with factors of one and of two variables, drawn from a normal distribution.
FactorGraph random_grid(std::size_t side, std::size_t cardinality, Random random) {
  FactorGraph::Builder builder;
  const auto draw = [&](std::size_t entries) {
    std::vector<double> table(entries);
    for (double& entry : table) entry = random.normal();
    return table;
  };
  for (std::size_t v = 0; v < side * side; ++v) {
    builder.add_variable(cardinality);
    builder.add_factor(std::array{static_cast<VariableId>(v)}, draw(cardinality));
  }
  for (VariableId v = 0; v < side * side; ++v) {
    if (v % side + 1 < side) builder.add_factor(std::array{v, v + 1}, draw(cardinality * cardinality));
    const auto below = static_cast<VariableId>(v + side);
    if (below < side * side) builder.add_factor(std::array{v, below}, draw(cardinality * cardinality));
  }
  return builder.build();
}

TEST(ConditionalModesTest, OwnModesHeedFactorsOfOneVariableAlone) {
  FactorGraph::Builder builder;
  for (int v = 0; v < 3; ++v) builder.add_variable(2);
  builder.add_factor(std::array<VariableId, 1>{1}, std::vector<double>{0, 2});
  builder.add_factor(std::array<VariableId, 1>{1}, std::vector<double>{1, 0});
  builder.add_factor(std::array<VariableId, 2>{0, 1}, std::vector<double>{0, 0, 9, 0});
  EXPECT_THAT(own_modes(builder.build()), ElementsAre(0, 1, 0));
}

TEST(ConditionalModesTest, EndsWhereNoVariableCanImproveAlone) {
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    const FactorGraph graph = random_grid(9, 3, Random(seed));
    Assignment values = own_modes(graph);
    const double before = graph.log_score(values);
    EXPECT_GE(climb_to_conditional_modes(graph, 100, values), graph.variable_count());
    EXPECT_GT(graph.log_score(values), before);
    std::vector<double> scores(3);
    for (VariableId v = 0; v < graph.variable_count(); ++v) {
      graph.conditional_scores(v, values, std::span<double>(scores));
      EXPECT_GE(scores[values[v]], *std::ranges::max_element(scores) - 1e-9);
    }
  }
}

TEST(ConditionalModesTest, BreaksAsFewConstraintsAsItCan) {
  constexpr double kNever = -std::numeric_limits<double>::infinity();
  FactorGraph::Builder builder;
  for (int v = 0; v < 3; ++v) builder.add_variable(2);
  for (const VariableId v : {0u, 1u})
    builder.add_factor(std::array{v, v + 1}, std::vector<double>{kNever, 0, kNever, 0});
  Assignment values(3, 0);
  climb_to_conditional_modes(builder.build(), 100, values);
  EXPECT_THAT(values, ElementsAre(0, 1, 1));
}

TEST(ConditionalModesTest, StopsWhenAsked) {
  const FactorGraph graph = random_grid(9, 3, Random(1));
  Assignment values = own_modes(graph);
  EXPECT_EQ(climb_to_conditional_modes(graph, 100, values, {.deadline = Stop::Clock::time_point::min()}), 0u);
}

}  // namespace
}  // namespace fovea::graph
