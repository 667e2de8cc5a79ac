// SPDX-License-Identifier: Apache-2.0
#include "fovea/graph/branch_and_bound/mini_buckets.h"

#include <gtest/gtest.h>

#include <limits>

#include "tests/support/enumerate_graph.h"
#include "tests/support/random_graphs.h"

namespace fovea::graph {
namespace {

std::vector<ScopedTable> tables_of(const FactorGraph& graph) {
  std::vector<ScopedTable> tables;
  for (FactorId f = 0; f < graph.factor_count(); ++f)
    tables.push_back({.scope = {graph.scope(f).begin(), graph.scope(f).end()},
                      .entries = {graph.table(f).begin(), graph.table(f).end()}});
  return tables;
}

/// The sum of what reaches the root, of a model without factors of empty scope.
double bound(const FactorGraph& graph, std::size_t max_entries, bool& is_exact) {
  std::vector<VariableId> order;
  for (VariableId v = 0; v < graph.variable_count(); ++v) order.push_back(v);
  const PseudoTree tree(graph, order, 1000);
  const std::vector<ScopedTable> tables = tables_of(graph);
  MiniBuckets buckets(tree, tables, max_entries);
  EXPECT_FALSE(buckets.advance({.deadline = Stop::Clock::time_point::min()}));
  EXPECT_TRUE(buckets.advance({}));
  is_exact = buckets.is_exact();
  double sum = 0;
  std::size_t entries = 0;
  for (const MiniBuckets::Message& message : buckets.messages()) {
    if (message.to == tree.root()) sum += message.table.entries.front();
    entries += message.table.entries.size();
  }
  if (max_entries > 200) {
    EXPECT_LE(entries, max_entries);
  }
  return sum;
}

TEST(MiniBuckets, bounds_the_maximum_and_meets_it_with_enough_memory) {
  int cut = 0;
  for (std::uint32_t seed = 0; seed < 60; ++seed) {
    const FactorGraph graph = testing::random_graph(
        {.variable_count = 7, .factor_count = 14, .max_arity = 3, .forbidden = seed % 2 == 0 ? .3 : 0}, seed);
    const double highest = testing::enumerate_graph(graph).best.score;
    bool is_exact = false;
    EXPECT_GE(bound(graph, 20, is_exact), highest - 1e-9);
    cut += !is_exact;
    const double exact = bound(graph, 1'000'000, is_exact);
    EXPECT_TRUE(is_exact);
    if (highest == -std::numeric_limits<double>::infinity()) EXPECT_EQ(exact, highest);
    else EXPECT_NEAR(exact, highest, 1e-9);
  }
  EXPECT_GT(cut, 20);
}

TEST(PseudoTree, factors_lie_on_paths_and_contexts_cover_them) {
  for (std::uint32_t seed = 0; seed < 30; ++seed) {
    const FactorGraph graph = testing::random_graph({.variable_count = 12, .factor_count = 10}, seed);
    std::vector<VariableId> order;
    for (VariableId v = 0; v < 12; ++v) order.push_back((v * 5 + seed) % 12);
    const PseudoTree tree(graph, order, 1000);
    const auto is_above = [&](VariableId a, VariableId b) {
      while (b != tree.root() && b != a) b = tree.parent(b);
      return b == a;
    };
    for (FactorId f = 0; f < graph.factor_count(); ++f) {
      const VariableId lowest = tree.lowest(graph.scope(f));
      for (const VariableId v : graph.scope(f)) {
        EXPECT_TRUE(is_above(v, lowest));
        if (v == lowest) continue;
        EXPECT_EQ(std::ranges::count(tree.context(lowest), v), 1);
      }
    }
    for (VariableId v = 0; v < 12; ++v)
      for (const VariableId above : tree.context(v))
        if (above != tree.parent(v)) {
          EXPECT_EQ(std::ranges::count(tree.context(tree.parent(v)), above), 1);
        }
  }
}

}  // namespace
}  // namespace fovea::graph
