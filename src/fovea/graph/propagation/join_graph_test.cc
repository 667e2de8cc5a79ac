// SPDX-License-Identifier: Apache-2.0
#include "fovea/graph/propagation/join_graph.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <set>

#include "fovea/base/error.h"
#include "tests/support/random_graphs.h"

namespace fovea::graph {
namespace {

std::vector<VariableId> natural_order(const FactorGraph& graph) {
  std::vector<VariableId> order(graph.variable_count());
  std::iota(order.begin(), order.end(), 0u);
  return order;
}

bool holds(const std::vector<VariableId>& scope, VariableId v) { return std::ranges::find(scope, v) != scope.end(); }

/// The clusters and edges that hold v: a tree has one more cluster than edges and is connected.
bool is_tree_of(const JoinGraph& join_graph, VariableId v) {
  std::set<std::uint32_t> clusters, reached;
  std::size_t edges = 0;
  for (std::uint32_t c = 0; c < join_graph.clusters().size(); ++c)
    if (holds(join_graph.clusters()[c].variables, v)) clusters.insert(c);
  if (clusters.empty()) return false;
  for (const JoinGraph::Edge& edge : join_graph.edges()) edges += holds(edge.separator, v);
  reached.insert(*clusters.begin());
  for (bool grows = true; grows;) {
    grows = false;
    for (const JoinGraph::Edge& edge : join_graph.edges()) {
      if (!holds(edge.separator, v) || reached.contains(edge.earlier) == reached.contains(edge.later)) continue;
      reached.insert(edge.earlier);
      reached.insert(edge.later);
      grows = true;
    }
  }
  return edges + 1 == clusters.size() && reached == clusters;
}

TEST(JoinGraphTest, PlacesEveryFactorInOneClusterAndJoinsEveryVariableByATree) {
  for (std::uint32_t seed = 0; seed < 60; ++seed) {
    const FactorGraph graph = testing::random_graph(
        {.variable_count = 1 + seed % 12, .factor_count = seed % 25, .min_arity = 0, .max_arity = 4}, seed);
    for (const double bound : {1.0, 10.0, 100.0, 1e9}) {
      const JoinGraph join_graph(graph, natural_order(graph), bound);
      std::vector<std::size_t> places(graph.factor_count(), 0), represented(graph.variable_count(), 0);
      for (const JoinGraph::Cluster& cluster : join_graph.clusters()) {
        double entries = 1, largest_factor = 1;
        for (const VariableId v : cluster.variables) entries *= static_cast<double>(graph.cardinality(v));
        for (const FactorId f : cluster.factors) {
          ++places[f];
          largest_factor = std::max(largest_factor, static_cast<double>(graph.table(f).size()));
          for (const VariableId v : graph.scope(f)) EXPECT_TRUE(holds(cluster.variables, v));
        }
        for (const VariableId v : cluster.represented) ++represented[v];
        EXPECT_EQ(cluster.entries, entries);
        EXPECT_TRUE(entries <= bound || entries <= 81) << "a cluster above the bound is a factor's scope or part of it";
      }
      for (FactorId f = 0; f < graph.factor_count(); ++f) EXPECT_EQ(places[f], graph.scope(f).empty() ? 0u : 1u);
      for (VariableId v = 0; v < graph.variable_count(); ++v) {
        EXPECT_TRUE(is_tree_of(join_graph, v)) << "seed " << seed << " bound " << bound << " variable " << v;
        EXPECT_EQ(represented[v], 1u);
      }
      EXPECT_TRUE(join_graph.is_tree() || bound < 1e9);
    }
  }
}

TEST(JoinGraphTest, EdgesRunFromEarlierToLaterClustersThatShareTheirSeparator) {
  const FactorGraph graph = testing::random_grid(4, 4, 3, 1);
  const JoinGraph join_graph(graph, natural_order(graph), 30);
  EXPECT_FALSE(join_graph.is_tree());
  EXPECT_LE(join_graph.max_cluster_entries(), 30);
  EXPECT_GT(join_graph.operations(), 0);
  double bytes = 0;
  for (const JoinGraph::Edge& edge : join_graph.edges()) {
    EXPECT_LT(edge.earlier, edge.later);
    for (const VariableId v : edge.separator) {
      EXPECT_TRUE(holds(join_graph.clusters()[edge.earlier].variables, v));
      EXPECT_TRUE(holds(join_graph.clusters()[edge.later].variables, v));
    }
    bytes += 2 * sizeof(double) * edge.entries;
  }
  EXPECT_EQ(join_graph.message_bytes(), bytes);
}

TEST(JoinGraphTest, StopsWhenAsked) {
  CancelToken cancel;
  cancel.cancel();
  const FactorGraph graph = testing::random_grid(4, 4, 3, 1);
  EXPECT_THROW(JoinGraph(graph, natural_order(graph), 30, {.cancel = &cancel}), LimitError);
}

}  // namespace
}  // namespace fovea::graph
