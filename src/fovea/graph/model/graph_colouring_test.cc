// SPDX-License-Identifier: Apache-2.0
#include "fovea/graph/model/graph_colouring.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "tests/support/random_graphs.h"

namespace fovea::graph {
namespace {

void expect_proper(const FactorGraph& graph, const GraphColouring& colouring) {
  std::vector<std::uint32_t> class_of(graph.variable_count(), 0);
  std::vector<int> seen(graph.variable_count());
  for (std::uint32_t c = 0; c < colouring.class_count(); ++c) {
    EXPECT_LT(colouring.begin[c], colouring.begin[c + 1]) << "no class is empty";
    for (std::uint32_t i = colouring.begin[c]; i < colouring.begin[c + 1]; ++i) {
      class_of[colouring.order[i]] = c;
      ++seen[colouring.order[i]];
    }
  }
  EXPECT_EQ(std::ranges::count(seen, 1), static_cast<std::ptrdiff_t>(graph.variable_count()));
  std::size_t largest = 0;
  for (VariableId v = 0; v < graph.variable_count(); ++v) {
    largest = std::max(largest, graph.markov_blanket(v).size());
    for (const VariableId other : graph.markov_blanket(v)) EXPECT_NE(class_of[v], class_of[other]);
  }
  EXPECT_LE(colouring.class_count(), largest + 1);
}

TEST(GraphColouring, NoTwoVariablesOfAClassShareAFactor) {
  for (std::uint32_t seed = 0; seed < 50; ++seed) {
    const FactorGraph graph = testing::random_graph({.variable_count = 12, .factor_count = 15, .max_arity = 4}, seed);
    expect_proper(graph, colour_graph(graph));
  }
}

TEST(GraphColouring, AGridIsACheckerboard) {
  constexpr VariableId kColumns = 5, kRows = 4;
  FactorGraph::Builder builder;
  for (VariableId v = 0; v < kRows * kColumns; ++v) builder.add_variable(2);
  const TableId table = builder.add_table(std::vector<double>{0, 1, 1, 0});
  for (VariableId v = 0; v < kRows * kColumns; ++v) {
    if (v % kColumns + 1 < kColumns) builder.add_factor(std::vector<VariableId>{v, v + 1}, table);
    if (v / kColumns + 1 < kRows) builder.add_factor(std::vector<VariableId>{v, v + kColumns}, table);
  }
  const FactorGraph grid = builder.build();
  const GraphColouring colouring = colour_graph(grid);
  expect_proper(grid, colouring);
  EXPECT_EQ(colouring.class_count(), 2u);
}

TEST(GraphColouring, AModelWithoutVariablesHasNoClass) { EXPECT_EQ(colour_graph(FactorGraph()).class_count(), 0u); }

}  // namespace
}  // namespace fovea::graph
