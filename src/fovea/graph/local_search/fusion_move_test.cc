// SPDX-License-Identifier: Apache-2.0
#include "fovea/graph/local_search/fusion_move.h"

#include <gtest/gtest.h>

#include <cmath>

#include "fovea/base/random.h"
#include "tests/support/random_graphs.h"

namespace fovea::graph {
namespace {

Assignment random_labels(const FactorGraph& graph, Random& random) {
  Assignment y;
  for (const std::uint32_t cardinality : graph.cardinalities())
    y.push_back(static_cast<Value>(random.uniform_index(cardinality)));
  return y;
}

double best_fusion(const FactorGraph& graph, const Assignment& current, const Assignment& proposal) {
  double best = -INFINITY;
  for (unsigned mask = 0; mask < 1u << current.size(); ++mask) {
    Assignment y = current;
    for (std::size_t v = 0; v < y.size(); ++v)
      if (mask >> v & 1) y[v] = proposal[v];
    best = std::max(best, graph.log_score(y));
  }
  return best;
}

/// A 3 x 4 Potts lattice that rewards equal neighbours: fusions with constant proposals are submodular.
FactorGraph potts_lattice(std::uint32_t seed) {
  Random random(seed);
  FactorGraph::Builder builder;
  for (int v = 0; v < 12; ++v) builder.add_variable(3);
  const TableId potts = builder.add_table(std::vector<double>{1, 0, 0, 0, 1, 0, 0, 0, 1});
  for (VariableId v = 0; v < 12; ++v) {
    builder.add_factor(std::vector<VariableId>{v}, std::vector<double>{random.normal(), random.normal(), 0});
    if (v % 4 != 3) builder.add_factor(std::vector<VariableId>{v, v + 1}, potts);
    if (v < 8) builder.add_factor(std::vector<VariableId>{v, v + 4}, potts);
  }
  return builder.build();
}

TEST(FusionMoveTest, ConstantProposalsOnAPottsModelAreFusedExactly) {
  for (std::uint32_t seed = 1; seed <= 20; ++seed) {
    const FactorGraph graph = potts_lattice(seed);
    const SoftTables tables = SoftTables::build(graph, 100).value();
    Random random(seed);
    ScoreRows rows(tables, random_labels(graph, random));
    FusionMove fusion(graph);
    for (Value label = 0; label < 3; ++label) {
      const Assignment proposal(12, label);
      const double expected = best_fusion(graph, rows.values(), proposal), before = rows.score();
      const std::size_t taken = fusion.fuse(rows, proposal);
      EXPECT_NEAR(graph.log_score(rows.values()), expected, 1e-9);
      EXPECT_EQ(taken > 0, expected > before + 1e-12);
    }
  }
}

TEST(FusionMoveTest, AnyProposalLeavesTheScoreAtLeastAsGood) {
  std::size_t improved = 0;
  for (std::uint32_t seed = 1; seed <= 40; ++seed) {
    const FactorGraph graph = testing::random_graph(
        {.variable_count = 10, .factor_count = 25, .min_arity = 0, .max_arity = 2, .forbidden = .1}, seed);
    const SoftTables tables = SoftTables::build(graph, 20).value();
    Random random(seed);
    ScoreRows rows(tables, random_labels(graph, random));
    FusionMove fusion(graph);
    for (int i = 0; i < 5; ++i) {
      const double before = rows.score();
      const Assignment proposal = random_labels(graph, random), start = rows.values();
      const std::size_t taken = fusion.fuse(rows, proposal);
      EXPECT_GE(rows.score(), before - 1e-9);
      improved += rows.score() > before + 1e-9;
      std::size_t changed = 0;
      for (VariableId v = 0; v < 10; ++v) {
        EXPECT_TRUE(rows.values()[v] == start[v] || rows.values()[v] == proposal[v]);
        changed += rows.values()[v] != start[v];
      }
      EXPECT_EQ(changed, taken);
    }
  }
  EXPECT_GT(improved, 60u);
}

}  // namespace
}  // namespace fovea::graph
