// SPDX-License-Identifier: Apache-2.0
#include "fovea/graph/tree/cluster_tree.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "fovea/base/error.h"
#include "fovea/graph/tree/elimination_order.h"
#include "tests/support/random_graphs.h"

namespace fovea::graph {
namespace {

using Cluster = ClusterTree::Cluster;

bool contains(const std::vector<VariableId>& variables, VariableId v) { return std::ranges::count(variables, v) > 0; }

void expect_is_tree_of(const FactorGraph& graph, const std::vector<VariableId>& order, const ClusterTree& tree) {
  std::vector<int> eliminated(graph.variable_count(), 0), placed(graph.factor_count(), 0);
  double bytes = 0, width = 0;
  for (std::uint32_t c = 0; c < tree.clusters().size(); ++c) {
    const Cluster& cluster = tree.clusters()[c];
    double entries = 1;
    for (std::size_t i = 0; i < cluster.variables.size(); ++i) {
      const VariableId v = cluster.variables[i];
      entries *= static_cast<double>(graph.cardinality(v));
      if (i < cluster.own_count) {
        ++eliminated[v];
        EXPECT_EQ(tree.cluster_of(v), c);
      } else {  // running intersection
        EXPECT_TRUE(contains(tree.clusters()[cluster.parent].variables, v));
      }
      EXPECT_TRUE(i == 0 || tree.position(cluster.variables[i - 1]) < tree.position(v));
    }
    EXPECT_EQ(cluster.separator().empty(), cluster.parent == ClusterTree::kNoParent);
    EXPECT_GT(cluster.parent, c);
    for (const std::uint32_t child : cluster.children) EXPECT_EQ(tree.clusters()[child].parent, c);
    for (const FactorId f : cluster.factors) {
      ++placed[f];
      for (const VariableId v : graph.scope(f))
        EXPECT_TRUE(contains(cluster.variables, v) || tree.cluster_of(v) == ClusterTree::kNoParent);
    }
    EXPECT_EQ(cluster.entries, entries);
    bytes += 8 * cluster.message_entries;
    width = std::max(width, std::log2(entries));
  }
  for (const FactorId f : tree.constants()) ++placed[f];
  EXPECT_TRUE(std::ranges::all_of(placed, [](int times) { return times == 1; }));
  for (VariableId v = 0; v < eliminated.size(); ++v) EXPECT_EQ(eliminated[v], contains(order, v) ? 1 : 0);
  EXPECT_DOUBLE_EQ(tree.message_bytes(), bytes);
  EXPECT_DOUBLE_EQ(tree.log2_width(), width);
  EXPECT_LE(tree.peak_bytes(), tree.message_bytes());
  EXPECT_GE(tree.marginal_bytes(), tree.message_bytes());
}

TEST(ClusterTree, is_a_cluster_tree) {
  for (std::uint32_t seed = 0; seed < 60; ++seed) {
    const FactorGraph graph = testing::random_graph(
        {.variable_count = 20, .factor_count = 18, .min_cardinality = 1, .min_arity = 0, .max_arity = 4}, seed);
    EliminationOptions options;
    if (seed % 2) {
      options.skipped.assign(20, 0);
      options.skipped[seed % 20] = options.skipped[seed % 13] = 1;
    }
    const EliminationOrder order = find_elimination_order(graph, options, Random(seed));
    const ClusterTree tree(graph, order.order);
    expect_is_tree_of(graph, order.order, tree);
    EXPECT_NEAR(tree.log2_width(), order.log2_width, 1e-9);
  }
}

TEST(ClusterTree, keeps_maximal_clusters_only) {
  const FactorGraph grid = testing::random_grid(6, 6, 2, 1);
  const ClusterTree tree(grid, find_elimination_order(grid, {}, Random(1)).order);
  for (const Cluster& a : tree.clusters())
    for (const Cluster& b : tree.clusters()) {
      const std::set<VariableId> inside(a.variables.begin(), a.variables.end());
      const bool is_within = std::ranges::all_of(b.variables, [&](VariableId v) { return inside.contains(v); });
      EXPECT_EQ(is_within, &a == &b);
    }
}

TEST(ClusterTree, clusters_eliminate_variables_of_one_kind) {
  const FactorGraph grid = testing::random_grid(5, 5, 2, 1);
  const std::vector<VariableId> order = find_elimination_order(grid, {}, Random(1)).order;
  std::vector<char> maximised(25, 0);
  for (const VariableId v : {1, 6, 12, 13, 24}) maximised[v] = 1;
  const ClusterTree tree(grid, order, maximised);
  expect_is_tree_of(grid, order, tree);
  for (const Cluster& cluster : tree.clusters())
    for (std::size_t i = 0; i < cluster.own_count; ++i)
      EXPECT_EQ(maximised[cluster.variables[i]] != 0, cluster.is_maximised);
}

TEST(ClusterTree, a_chain_holds_one_message_at_a_time) {
  const FactorGraph chain = testing::random_grid(1, 50, 3, 1);
  std::vector<VariableId> order;
  for (VariableId v = 0; v < 50; ++v) order.push_back(v);
  const ClusterTree tree(chain, order);
  EXPECT_EQ(tree.clusters().size(), 49u);  // the last joins the one before
  EXPECT_EQ(tree.peak_bytes(), 48);        // one read, one written
  EXPECT_EQ(tree.message_bytes(), 48 * 24 + 8);
}

TEST(ClusterTree, says_when_there_was_no_time) {
  const FactorGraph chain = testing::random_grid(1, 60000, 2, 1);
  std::vector<VariableId> order;
  for (VariableId v = 0; v < 60000; ++v) order.push_back(v);
  EXPECT_THROW(ClusterTree(chain, order, {}, {.deadline = Stop::Clock::now()}), LimitError);
}

}  // namespace
}  // namespace fovea::graph
