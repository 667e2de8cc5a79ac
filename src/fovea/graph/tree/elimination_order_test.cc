// SPDX-License-Identifier: Apache-2.0
#include "fovea/graph/tree/elimination_order.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "fovea/base/error.h"
#include "tests/support/random_graphs.h"

namespace fovea::graph {
namespace {

/// Costs found by joining sets of neighbours, without any updates.
EliminationOrder costs_of(const FactorGraph& graph, const std::vector<VariableId>& order) {
  std::vector<std::set<VariableId>> neighbours(graph.variable_count());
  for (const VariableId v : order)
    for (const VariableId u : graph.markov_blanket(v))
      if (std::ranges::count(order, u)) neighbours[v].insert(u);
  EliminationOrder costs{.order = order, .log2_width = 0, .total_entries = 0, .depth = 0};
  std::vector<std::size_t> height(graph.variable_count(), 1);
  for (const VariableId v : order) {
    double entries = static_cast<double>(graph.cardinality(v));
    for (const VariableId u : neighbours[v]) {
      entries *= static_cast<double>(graph.cardinality(u));
      height[u] = std::max(height[u], height[v] + 1);
      neighbours[u].insert(neighbours[v].begin(), neighbours[v].end());
      neighbours[u].erase(u);
      neighbours[u].erase(v);
    }
    costs.depth = std::max(costs.depth, height[v]);
    costs.log2_width = std::max(costs.log2_width, std::log2(entries));
    costs.total_entries += entries;
  }
  return costs;
}

TEST(EliminationOrder, costs_what_it_says) {
  for (const EliminationRule rule :
       {EliminationRule::kMinFill, EliminationRule::kMinWeight, EliminationRule::kMinDegree})
    for (std::uint32_t seed = 0; seed < 30; ++seed) {
      const FactorGraph graph =
          testing::random_graph({.variable_count = 25, .factor_count = 30, .min_cardinality = 1}, seed);
      EliminationOptions options{.rules = {rule}, .tries = 2};
      if (seed % 2) options.skipped.assign(25, 0), options.skipped[seed % 25] = 1;
      const EliminationOrder found = find_elimination_order(graph, options, Random(seed));
      const EliminationOrder expected = costs_of(graph, found.order);
      EXPECT_EQ(std::set(found.order.begin(), found.order.end()).size(), 25u - seed % 2);
      EXPECT_NEAR(found.log2_width, expected.log2_width, 1e-9);
      EXPECT_NEAR(found.total_entries, expected.total_entries, 1e-6 * expected.total_entries);
      EXPECT_EQ(found.depth, expected.depth);
      if (seed % 2) {
        EXPECT_EQ(std::ranges::count(found.order, seed % 25), 0);
      }
    }
}

TEST(EliminationOrder, each_step_adds_the_fewest_edges) {
  const FactorGraph graph = testing::random_graph({.variable_count = 20, .factor_count = 18}, 3);
  const EliminationOptions options{.rules = {EliminationRule::kMinFill}, .tries = 1};
  std::vector<std::set<VariableId>> neighbours(graph.variable_count());
  for (VariableId v = 0; v < 20; ++v)
    neighbours[v].insert(graph.markov_blanket(v).begin(), graph.markov_blanket(v).end());
  const auto fill = [&](VariableId v) {
    int missing = 0;
    for (const VariableId a : neighbours[v])
      for (const VariableId b : neighbours[v]) missing += a < b && !neighbours[a].contains(b);
    return missing;
  };
  std::set<VariableId> left;
  for (VariableId v = 0; v < 20; ++v) left.insert(v);
  for (const VariableId v : find_elimination_order(graph, options, Random(1)).order) {
    for (const VariableId u : left) EXPECT_LE(fill(v), fill(u));
    left.erase(v);
    for (const VariableId u : neighbours[v]) {
      neighbours[u].insert(neighbours[v].begin(), neighbours[v].end());
      neighbours[u].erase(u);
      neighbours[u].erase(v);
    }
  }
}

TEST(EliminationOrder, trees_and_cycles_have_their_width) {
  const FactorGraph chain = testing::random_grid(1, 3000, 2, 1);
  EXPECT_EQ(find_elimination_order(chain, {}, Random(1)).log2_width, 2);
  const FactorGraph ladder = testing::random_grid(2, 500, 2, 1);
  EXPECT_EQ(find_elimination_order(ladder, {}, Random(1)).log2_width, 3);
}

TEST(EliminationOrder, of_the_last_ones_all_come_last) {
  const FactorGraph graph = testing::random_grid(5, 5, 2, 1);
  EliminationOptions options;
  options.last.assign(25, 0);
  for (const VariableId v : {0, 7, 12}) options.last[v] = 1;
  const std::vector<VariableId> order = find_elimination_order(graph, options, Random(1)).order;
  EXPECT_EQ(std::set(order.end() - 3, order.end()), (std::set<VariableId>{0, 7, 12}));
}

TEST(EliminationOrder, more_tries_are_no_worse) {
  const FactorGraph graph = testing::random_graph({.variable_count = 60, .factor_count = 70}, 5);
  double last = INFINITY;
  for (const int tries : {1, 4, 16}) {
    const double entries = find_elimination_order(graph, {.tries = tries}, Random(1)).total_entries;
    EXPECT_LE(entries, last);
    last = entries;
  }
}

TEST(EliminationOrder, gives_up_above_the_greatest_width) {
  const FactorGraph grid = testing::random_grid(6, 6, 2, 1);
  EXPECT_FALSE(find_elimination_order(grid, {.max_log2_width = 3}, Random(1)).found());
  EXPECT_TRUE(find_elimination_order(grid, {.max_log2_width = 9}, Random(1)).found());
}

TEST(EliminationOrder, says_when_there_was_no_time) {
  const FactorGraph grid = testing::random_grid(100, 100, 2, 1);
  EXPECT_THROW(find_elimination_order(grid, {}, Random(1), {.deadline = Stop::Clock::now()}), LimitError);
}

TEST(EliminationOrder, of_nothing) {
  const EliminationOrder order = find_elimination_order(FactorGraph(), {}, Random(1));
  EXPECT_TRUE(order.found());
  EXPECT_TRUE(order.order.empty());
}

}  // namespace
}  // namespace fovea::graph
