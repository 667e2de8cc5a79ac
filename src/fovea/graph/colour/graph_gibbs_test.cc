// SPDX-License-Identifier: Apache-2.0
#include "fovea/graph/colour/graph_gibbs.h"

#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <numeric>

#include "fovea/graph/model/graph_colouring.h"
#include "tests/support/enumerate_graph.h"
#include "tests/support/enumerating_random.h"
#include "tests/support/random_graphs.h"

namespace fovea::graph {
namespace {

static_assert(std::same_as<GraphGibbs::TargetLaw, mcmc::Invariant>);

/// The gap of a kernel that visits one batch.
template <class Kernel>
double batch_gap(const FactorGraph& graph, const Kernel& kernel, const std::vector<VariableId>& batch) {
  return testing::invariance_gap(testing::law_of(graph), [&](Assignment y, testing::EnumeratingRandom& random) {
    kernel.step(y, batch, random);
    return y;
  });
}

std::vector<VariableId> all_variables(const FactorGraph& graph) {
  std::vector<VariableId> all(graph.variable_count());
  std::iota(all.begin(), all.end(), VariableId{0});
  return all;
}

// Weights are float: the gap is of the order of their rounding.
constexpr double kFloatRounding = 1e-6;

TEST(GraphGibbs, LeavesTheLawInvariant) {
  for (std::uint32_t seed = 0; seed < 12; ++seed) {
    const FactorGraph graph =
        testing::random_graph({.variable_count = 4, .factor_count = 7, .max_arity = 3, .shared_tables = 0.3}, seed);
    EXPECT_LT(batch_gap(graph, GraphGibbs(graph), all_variables(graph)), kFloatRounding) << seed;
    EXPECT_LT(batch_gap(graph, GraphGibbs(graph), colour_graph(graph).order), kFloatRounding) << seed;
  }
}

TEST(GraphGibbs, LeavesTheLawInvariantUnderHardConstraints) {
  for (std::uint32_t seed = 0; seed < 12; ++seed) {
    const FactorGraph graph =
        testing::random_graph({.variable_count = 4, .factor_count = 6, .forbidden = 0.3, .is_feasible = true}, seed);
    EXPECT_LT(batch_gap(graph, GraphGibbs(graph), all_variables(graph)), kFloatRounding) << seed;
  }
}

/// Chooses the site by its value, which a kernel must not.
struct PeekingGibbs {
  const GraphGibbs& gibbs;

  template <class R>
  void step(Assignment& values, const std::vector<VariableId>& batch, R& random) const {
    gibbs.step(values, std::span(&batch[values[0] == 0 ? 0 : 1], 1), random);
  }
};

TEST(GraphGibbs, TheTestCatchesAKernelThatPeeks) {
  const FactorGraph graph = testing::random_graph({.variable_count = 3, .factor_count = 6}, 1);
  const GraphGibbs gibbs(graph);
  EXPECT_GT(batch_gap(graph, PeekingGibbs{gibbs}, all_variables(graph)), 1e-3);
}

TEST(GraphGibbs, ProductsBeyondTheRangeOfFloatAreComputedAgain) {
  FactorGraph::Builder builder;
  const VariableId v = builder.add_variable(2);
  const VariableId other = builder.add_variable(2);
  for (int i = 0; i < 4; ++i)  // values 0 and 1 are likely by turns: each product is e^-120 or less
    builder.add_factor(std::vector{v, other},
                       i % 2 == 0 ? std::vector<double>{0, -60, 0, -60} : std::vector<double>{-60, 1, -60, 1});
  const FactorGraph graph = builder.build();
  EXPECT_LT(batch_gap(graph, GraphGibbs(graph), {v, other}), kFloatRounding);
}

TEST(GraphGibbs, AVariableWithoutAnyPossibleValueKeepsItsOwn) {
  FactorGraph::Builder builder;
  const VariableId v = builder.add_variable(2);
  const VariableId other = builder.add_variable(2);
  const double no = -std::numeric_limits<double>::infinity();
  builder.add_factor(std::vector{v, other}, std::vector<double>{0, no, 0, no});
  const FactorGraph graph = builder.build();
  Assignment y = {1, 1};
  Random random(1);
  GraphGibbs(graph).step(y, std::vector{v}, random);
  EXPECT_EQ(y, (Assignment{1, 1}));
}

TEST(GraphGibbs, DrawsByWeightFromTheFastStreamToo) {
  FactorGraph::Builder builder;
  const VariableId v = builder.add_variable(4);
  builder.add_factor(std::vector{v},
                     std::vector<double>{0, std::log(2.0), -std::numeric_limits<double>::infinity(), std::log(3.0)});
  const FactorGraph graph = builder.build();
  const GraphGibbs gibbs(graph);
  Random random(5);
  Assignment y = {0};
  std::vector<double> counts(4);
  constexpr int kDraws = 60'000;
  for (int i = 0; i < kDraws; ++i) {
    gibbs.step(y, std::vector{v}, random);
    ++counts[y[v]];
  }
  EXPECT_EQ(counts[2], 0);
  // 5.3 standard deviations: a false failure in 1e7 runs of each line.
  for (const auto& [value, p] : {std::pair(0, 1 / 6.0), {1, 2 / 6.0}, {3, 3 / 6.0}})
    EXPECT_NEAR(counts[static_cast<std::size_t>(value)], kDraws * p, 5.3 * std::sqrt(kDraws * p * (1 - p)));
}

}  // namespace
}  // namespace fovea::graph
