// SPDX-License-Identifier: Apache-2.0
#include "fovea/graph/tables/max_flow.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <vector>

#include "fovea/base/random.h"

namespace fovea::graph {
namespace {

struct Edge {
  int from, to;
  double capacity, reverse;
};

/// Cost of a cut: `mask` holds the nodes on the source's side.
double cut(const std::vector<double>& terminals, const std::vector<Edge>& edges, unsigned mask) {
  double cost = 0;
  const auto inside = [&](int n) { return (mask >> n & 1) != 0; };
  for (std::size_t n = 0; n < terminals.size(); ++n) {
    if (terminals[n] > 0 && !inside(static_cast<int>(n))) cost += terminals[n];
    if (terminals[n] < 0 && inside(static_cast<int>(n))) cost -= terminals[n];
  }
  for (const Edge& e : edges) {
    if (inside(e.from) && !inside(e.to)) cost += e.capacity;
    if (inside(e.to) && !inside(e.from)) cost += e.reverse;
  }
  return cost;
}

/// Random graphs with whole capacities, so that ties and exact saturation are common.
TEST(MaxFlowTest, FindsAMinimumCut) {
  MaxFlow flow;
  Random random(3);
  for (int round = 0; round < 300; ++round) {
    const int n = 2 + static_cast<int>(random.uniform_index(9));
    const auto number = [&] { return static_cast<double>(random.uniform_index(6)); };
    std::vector<double> terminals;
    std::vector<Edge> edges;
    flow.reset(static_cast<std::size_t>(n));
    for (int i = 0; i < n; ++i) {
      terminals.push_back(number() - number());
      flow.add_terminal(i, terminals.back());
    }
    for (int i = 0; i < 2 * n; ++i) {
      const int from = static_cast<int>(random.uniform_index(static_cast<std::uint32_t>(n)));
      edges.push_back({from, (from + 1 + static_cast<int>(random.uniform_index(static_cast<std::uint32_t>(n - 1)))) % n,
                       number(), number()});
      flow.add_edge(edges.back().from, edges.back().to, edges.back().capacity, edges.back().reverse);
    }
    ASSERT_TRUE(flow.solve());
    unsigned found = 0;
    for (int i = 0; i < n; ++i) found |= static_cast<unsigned>(flow.is_on_source_side(i)) << i;
    double least = std::numeric_limits<double>::infinity();
    for (unsigned mask = 0; mask < 1u << n; ++mask) least = std::min(least, cut(terminals, edges, mask));
    ASSERT_EQ(cut(terminals, edges, found), least) << "round " << round;
  }
}

TEST(MaxFlowTest, NodesWithoutATerminalStayOffTheSourceSide) {
  MaxFlow flow;
  flow.reset(3);
  flow.add_terminal(0, 2);
  flow.add_edge(0, 1, 0, 5);
  ASSERT_TRUE(flow.solve());
  EXPECT_TRUE(flow.is_on_source_side(0));
  EXPECT_FALSE(flow.is_on_source_side(1));
  EXPECT_FALSE(flow.is_on_source_side(2));
}

}  // namespace
}  // namespace fovea::graph
