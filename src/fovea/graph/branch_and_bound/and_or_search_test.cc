// SPDX-License-Identifier: Apache-2.0
#include "fovea/graph/branch_and_bound/and_or_search.h"

#include <gtest/gtest.h>

#include <limits>

#include "fovea/base/log_math.h"
#include "tests/support/enumerate_graph.h"
#include "tests/support/random_graphs.h"

namespace fovea::graph {
namespace {

/// A search whose bounds are as loose as mini-buckets can be.
struct LooseSearch {
  LooseSearch(const FactorGraph& graph, std::size_t cache_bytes, double overestimation)
      : tree(graph, order_of(graph), 1000),
        factors(tables_of(graph)),
        bounds(tree, factors),
        cache(cache_bytes),
        buckets(tree, factors, 1),
        search(tree, bounds, cache, overestimation, 1e-9) {
    buckets.advance({});
    bounds.set_bounds(buckets);
  }

  static std::vector<VariableId> order_of(const FactorGraph& graph) {
    std::vector<VariableId> order;
    for (VariableId v = 0; v < graph.variable_count(); ++v) order.push_back(v);
    return order;
  }
  static std::vector<ScopedTable> tables_of(const FactorGraph& graph) {
    std::vector<ScopedTable> tables;
    for (FactorId f = 0; f < graph.factor_count(); ++f)
      tables.push_back({.scope = {graph.scope(f).begin(), graph.scope(f).end()},
                        .entries = {graph.table(f).begin(), graph.table(f).end()}});
    return tables;
  }

  AndOrSearch::Result solve(VariableId v, double threshold) {
    search.start(v, threshold);
    EXPECT_TRUE(search.advance(std::numeric_limits<std::uint64_t>::max(), {}));
    return search.finish();
  }

  PseudoTree tree;
  std::vector<ScopedTable> factors;
  SubproblemBounds bounds;
  BoundCache cache;
  MiniBuckets buckets;
  AndOrSearch search;
};

TEST(AndOrSearch, solves_vs_enumeration_with_loose_bounds) {
  std::uint64_t nodes = 0;
  for (std::uint32_t seed = 0; seed < 40; ++seed) {
    SCOPED_TRACE(seed);
    const FactorGraph graph = testing::random_graph({.variable_count = 9,
                                                     .factor_count = 10 + seed,
                                                     .min_arity = 0,
                                                     .max_arity = 2 + seed % 2,
                                                     .forbidden = seed % 3 == 0 ? .2 : 0},
                                                    seed);
    const double highest = testing::enumerate_graph(graph).best.score;
    LooseSearch loose(graph, seed % 2 == 0 ? 0 : 1 << 20, seed % 4 < 2 ? .01 : 2);
    const AndOrSearch::Result result = loose.solve(loose.tree.root(), kImpossible);
    EXPECT_TRUE(result.is_solved);
    if (highest == kImpossible) EXPECT_EQ(result.bound, kImpossible);
    else EXPECT_NEAR(result.bound, highest, 1e-9);
    nodes += loose.search.node_count();
  }
  EXPECT_GT(nodes, 40 * 10 * 2u);  // more than following perfect bounds down takes
}

TEST(AndOrSearch, ends_where_the_threshold_cannot_be_beaten) {
  const FactorGraph graph = testing::random_graph({.variable_count = 9, .factor_count = 30, .min_arity = 2}, 5);
  const double highest = testing::enumerate_graph(graph).best.score;
  LooseSearch loose(graph, 1 << 20, 1);
  const AndOrSearch::Result result = loose.solve(loose.tree.root(), highest + .5);
  EXPECT_FALSE(result.is_solved);
  EXPECT_GE(result.bound, highest - 1e-9);
  EXPECT_LE(result.bound, highest + .5 + 1e-9);
}

TEST(AndOrSearch, goes_on_where_it_stopped_and_its_bound_falls) {
  const FactorGraph graph = testing::random_graph({.variable_count = 9, .factor_count = 30, .min_arity = 2}, 6);
  const double highest = testing::enumerate_graph(graph).best.score;
  LooseSearch whole(graph, 1 << 20, 1), parts(graph, 1 << 20, 1);
  whole.solve(whole.tree.root(), kImpossible);
  parts.search.start(parts.tree.root(), kImpossible);
  double before = std::numeric_limits<double>::infinity();
  while (!parts.search.advance(parts.search.node_count() + 3, {})) {
    EXPECT_LE(parts.search.bound(), before + 1e-9);
    EXPECT_GE(parts.search.bound(), highest - 1e-9);
    before = parts.search.bound();
  }
  EXPECT_EQ(parts.search.node_count(), whole.search.node_count());
  EXPECT_NEAR(parts.search.finish().bound, highest, 1e-9);
}

}  // namespace
}  // namespace fovea::graph
