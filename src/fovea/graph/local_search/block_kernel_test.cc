// SPDX-License-Identifier: Apache-2.0
#include "fovea/graph/local_search/block_kernel.h"

#include <gtest/gtest.h>

#include "fovea/base/random.h"
#include "tests/support/enumerate_graph.h"
#include "tests/support/enumerating_random.h"
#include "tests/support/random_graphs.h"

namespace fovea::graph {
namespace {

static_assert(std::same_as<BlockKernel::TargetLaw, mcmc::Invariant>);

/// The gap of the kernel whose step is step(values, random).
template <class Step>
double block_gap(const FactorGraph& graph, const Step& step) {
  return testing::invariance_gap(testing::law_of(graph), [&](Assignment y, testing::EnumeratingRandom& random) {
    step(y, random);
    return y;
  });
}

TEST(BlockKernelTest, LeavesTheLawInvariant) {
  for (std::uint32_t seed = 1; seed <= 9; ++seed) {
    const FactorGraph graph = testing::random_graph(
        {.variable_count = 4, .factor_count = 6, .forbidden = seed % 3 ? 0 : .2, .is_feasible = true}, seed);
    BlockKernel whole(graph), small(graph, {.variables = 3, .bag_entries = 6});
    const VariableId first = seed % 4;
    EXPECT_LT(block_gap(graph, [&](Assignment& y, auto& r) { whole.step(y, std::span(&first, 1), r); }), 1e-12);
    EXPECT_LT(block_gap(graph, [&](Assignment& y, auto& r) { small.step(y, std::span(&first, 1), r); }), 1e-12);
  }
}

TEST(BlockKernelTest, TheTestCatchesASeedThatDependsOnValues) {
  const FactorGraph graph = testing::random_graph({.variable_count = 4, .factor_count = 6, .max_arity = 2}, 3);
  BlockKernel kernel(graph, {.variables = 1});
  EXPECT_GT(block_gap(graph,
                      [&](Assignment& y, auto& r) {
                        const VariableId seed = y[0] == y[1] ? 2 : 0;
                        kernel.step(y, std::span(&seed, 1), r);
                      }),
            1e-3);
}

/// Tables are those of p^beta, and a finite penalty takes the place of -inf.
TEST(BlockKernelTest, MaximisesTheSoftenedScoreOfTheBlock) {
  constexpr double kPenalty = 4;
  for (std::uint32_t seed = 1; seed <= 20; ++seed) {
    const FactorGraph graph = testing::random_graph({.variable_count = 7, .factor_count = 9, .forbidden = .2}, seed);
    const auto soft = [&](const Assignment& y) {
      double sum = 0;
      for (FactorId f = 0; f < graph.factor_count(); ++f) sum += std::max(graph.factor_score(f, y), -kPenalty);
      return sum;
    };
    BlockKernel kernel(graph, {}, kPenalty);
    Random random(seed);
    Assignment y(7, 0);
    const std::span<const VariableId> grown = kernel.grow(seed % 7, random);
    const std::vector<VariableId> block(grown.begin(), grown.end());
    EXPECT_EQ(block[0], seed % 7);
    double best = -std::numeric_limits<double>::infinity();
    testing::for_each_assignment(graph, [&](const Assignment& z, double) {
      Assignment rest = z;
      for (const VariableId v : block) rest[v] = 0;
      if (rest == Assignment(7, 0)) best = std::max(best, soft(z));
    });
    kernel.maximise(y);
    EXPECT_NEAR(soft(y), best, 1e-12);
  }
}

TEST(BlockKernelTest, BlocksOnALatticeAreLargeTrees) {
  const FactorGraph graph = testing::random_grid(20, 20, 2, 1);
  BlockKernel kernel(graph);
  Random random(1);
  std::vector<std::uint8_t> inside(400, 0);
  const std::span<const VariableId> block = kernel.grow(210, random);
  for (const VariableId v : block) inside[v] = 1;
  std::size_t edges = 0;
  for (const VariableId v : block)
    for (const VariableId u : graph.markov_blanket(v)) edges += inside[u];
  EXPECT_EQ(edges / 2, block.size() - 1);
  EXPECT_GT(block.size(), 200u);
}

TEST(BlockKernelTest, KeepsTheValuesWhereTheRestIsImpossible) {
  FactorGraph::Builder builder;
  builder.add_variable(2);
  builder.add_variable(2);
  builder.add_factor(std::vector<VariableId>{0, 1}, std::vector<double>{0, 0, -INFINITY, -INFINITY});
  const FactorGraph graph = builder.build();
  BlockKernel kernel(graph, {.variables = 1});
  Assignment y = {1, 1};
  Random random(1);
  kernel.grow(1, random);
  kernel.sample(y, random);
  EXPECT_EQ(y, (Assignment{1, 1}));
}

}  // namespace
}  // namespace fovea::graph
