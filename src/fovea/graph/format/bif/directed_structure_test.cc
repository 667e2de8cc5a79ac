// SPDX-License-Identifier: Apache-2.0
#include "fovea/graph/format/bif/directed_structure.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <random>

namespace fovea::graph {
namespace {

/// Binary variables; each scope's last variable is the child of the others.
FactorGraph graph_of(std::size_t variables, const std::vector<std::vector<VariableId>>& scopes) {
  FactorGraph::Builder builder;
  for (std::size_t v = 0; v < variables; ++v) builder.add_variable(2);
  for (const std::vector<VariableId>& scope : scopes)
    builder.add_factor(scope, std::vector<double>(std::size_t{1} << scope.size()));
  return builder.build();
}

bool has_arrow(const FactorGraph& graph, VariableId parent, VariableId child) {
  for (FactorId f = 0; f < graph.factor_count(); ++f)
    if (!graph.scope(f).empty() && graph.scope(f).back() == child && parent != child &&
        std::ranges::find(graph.scope(f), parent) != graph.scope(f).end())
      return true;
  return false;
}

TEST(DirectedStructureTest, AcyclicGraphsHaveNoCycle) {
  EXPECT_TRUE(find_directed_cycle(graph_of(0, {{}})).empty());
  EXPECT_TRUE(find_directed_cycle(graph_of(4, {{0}, {0, 1}, {0, 2}, {2, 1, 3}, {0, 3}})).empty());
}

TEST(DirectedStructureTest, FindsTheCycleBehindItsDescendants) {
  EXPECT_EQ(find_directed_cycle(graph_of(5, {{1, 0}, {2, 1}, {3, 2}, {4, 2}, {2, 3}, {4}})).size(), 2u);
}

RC_GTEST_PROP(DirectedStructureProperty, CyclesAreCyclesAndNoneIsMissed, (std::uint32_t seed)) {
  std::mt19937 engine(seed);
  const std::size_t variables = 5;
  std::vector<std::vector<VariableId>> scopes;
  for (std::size_t f = 0; f < 5; ++f) {
    std::vector<VariableId> scope{0, 1, 2, 3, 4};
    std::shuffle(scope.begin(), scope.end(), engine);
    scope.resize(1 + engine() % 3);
    scopes.push_back(scope);
  }
  const FactorGraph graph = graph_of(variables, scopes);
  const std::vector<VariableId> cycle = find_directed_cycle(graph);
  for (std::size_t i = 0; i < cycle.size(); ++i) RC_ASSERT(has_arrow(graph, cycle[i], cycle[(i + 1) % cycle.size()]));
  bool has_order = false;
  std::vector<VariableId> order{0, 1, 2, 3, 4};
  do {
    bool is_topological = true;
    for (std::size_t i = 0; i < variables; ++i)
      for (std::size_t j = 0; j < i; ++j) is_topological = is_topological && !has_arrow(graph, order[i], order[j]);
    has_order = has_order || is_topological;
  } while (std::next_permutation(order.begin(), order.end()));
  RC_ASSERT(cycle.empty() == has_order);
}

}  // namespace
}  // namespace fovea::graph
