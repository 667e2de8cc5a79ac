// SPDX-License-Identifier: Apache-2.0
#include "fovea/graph/colour/block_gibbs.h"

#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <set>

#include "fovea/base/log_math.h"
#include "tests/support/enumerate_graph.h"
#include "tests/support/latin_squares.h"
#include "tests/support/random_graphs.h"

namespace fovea::graph {
namespace {

static_assert(std::same_as<BlockGibbs::TargetLaw, mcmc::Invariant>);

/// Draws from the model's law are still from it after a block: within 5 standard errors of independent draws.
TEST(BlockGibbs, LeavesTheLawAsItIs) {
  for (std::uint32_t seed = 1; seed <= 6; ++seed) {
    const FactorGraph graph = testing::random_graph(
        {.variable_count = 5, .factor_count = 7, .max_cardinality = 3, .forbidden = .3, .is_feasible = true}, seed);
    const double log_z = testing::enumerate_graph(graph).log_z;
    std::vector<Assignment> possible;
    std::vector<double> law;
    testing::for_each_assignment(graph, [&](const Assignment& y, double score) {
      if (!(score > kImpossible)) return;
      possible.push_back(y);
      law.push_back(std::exp(score - log_z));
    });
    std::map<Assignment, double> drawn;
    constexpr int kDraws = 20'000;
    Random random(seed);
    BlockGibbs blocks(graph);
    for (int draw = 0; draw < kDraws; ++draw) {
      Assignment y = possible[random.categorical(std::span<const double>(law))];
      blocks.step(y, random);
      ++drawn[y];
    }
    for (std::size_t i = 0; i < possible.size(); ++i)
      EXPECT_NEAR(drawn[possible[i]] / kDraws, law[i], 5 * std::sqrt(law[i] * (1 - law[i]) / kDraws) + 1e-9);
    for (const auto& [y, count] : drawn) EXPECT_GT(graph.log_score(y), kImpossible);
  }
}

TEST(BlockGibbs, GetsFromEachLatinSquareToAllOthers) {
  const FactorGraph graph = testing::latin_squares(4);
  Assignment square = {0, 1, 2, 3, 1, 0, 3, 2, 2, 3, 0, 1, 3, 2, 1, 0};
  std::set<Assignment> seen;
  Random random(1);
  BlockGibbs blocks(graph);
  for (int draw = 0; draw < 40'000; ++draw) {
    blocks.step(square, random);
    seen.insert(square);
  }
  EXPECT_EQ(seen.size(), 576u);
}

TEST(BlockGibbs, KeepsConstraintsWhereBlocksHaveTooManyAssignments) {
  constexpr std::size_t kOrder = 10;
  const FactorGraph graph = testing::latin_squares(kOrder);
  Assignment square;
  for (std::size_t i = 0; i < kOrder * kOrder; ++i)
    square.push_back(static_cast<Value>((i / kOrder + i % kOrder) % kOrder));
  const Assignment cyclic = square;
  Random random(3);
  BlockGibbs blocks(graph);
  for (int draw = 0; draw < 1000; ++draw) {
    blocks.step(square, random);
    EXPECT_LE(blocks.block().size(), 64u);
  }
  EXPECT_NE(square, cyclic);
  EXPECT_GT(graph.log_score(square), kImpossible);
}

TEST(BlockGibbs, DrawsAVariableWithoutNeighbours) {
  FactorGraph::Builder builder;
  builder.add_variable(2);
  builder.add_factor(std::vector<VariableId>{0}, std::vector<double>{0, std::log(3.)});
  const FactorGraph graph = builder.build();
  Random random(1);
  BlockGibbs blocks(graph);
  Assignment y = {0};
  int ones = 0;
  for (int draw = 0; draw < 10'000; ++draw) {
    blocks.step(y, random);
    ones += y[0];
  }
  EXPECT_NEAR(ones / 1e4, .75, 5 * std::sqrt(.75 * .25 / 1e4));
}

}  // namespace
}  // namespace fovea::graph
