// SPDX-License-Identifier: Apache-2.0
// Theorem 3.6 and corollary 3.7 of Steinhardt and Liang (2015).
#include "fovea/mcmc/restart/mixing_bound.h"

#include <gtest/gtest.h>

#include <cmath>

#include "tests/support/markov_matrix.h"

namespace fovea::mcmc {
namespace {

using testing::MarkovMatrix;

/// C alone.
MarkovMatrix stages_of(const StageGraph& graph) {
  MarkovMatrix c(graph.size());
  for (std::size_t i = 0; i < graph.size(); ++i)
    for (std::size_t j = 0; j < graph.size(); ++j) c.at(i, j) = graph.probability(i, j);
  return c;
}

/// M over (stage, y) with a random law to restart from and chains that keep y, or swap the values of y.
MarkovMatrix joint_chain(const StageGraph& graph, std::size_t n, Random& random) {
  const MarkovMatrix restart = MarkovMatrix::restart(testing::random_law(n, random));
  MarkovMatrix joint(graph.size() * n);
  for (std::size_t z = 0; z < graph.size(); ++z)
    for (std::size_t next = 0; next < graph.size(); ++next)
      for (std::size_t y = 0; y < n; ++y)
        for (std::size_t to = 0; to < n; ++to) {
          const double kept = next % 2 == 1 ? to == y : to == (y + 1) % n;
          joint.at(z * n + y, next * n + to) = graph.probability(z, next) * (next == 0 ? restart.at(y, to) : kept);
        }
  return joint;
}

StageGraph random_graph(std::size_t stages, Random& random) {
  const MarkovMatrix c = testing::random_chain(stages, random);
  std::vector<std::vector<double>> rows;
  for (std::size_t i = 0; i < stages; ++i) rows.emplace_back(c.row(i).begin(), c.row(i).end());
  return StageGraph(std::move(rows));
}

TEST(MixingBoundTest, OfPlainRestartsIsEpsilon) {
  for (const double epsilon : {.001, .1, .7}) {
    const MixingBound bound = mixing_bound(StageGraph::restarts(epsilon), 1, 1);
    EXPECT_NEAR(bound.gamma, epsilon, 1e-15);
    EXPECT_NEAR(bound.gap(), epsilon, 1e-15);
    EXPECT_NEAR(bound.tight_gap(), epsilon, 1e-15);
    EXPECT_GE(best_mixing_bound(StageGraph::restarts(epsilon)).tight_gap(), epsilon * (1 - 1e-9));
  }
}

TEST(MixingBoundTest, GammaIsTheSumOfTheLeastFirstHits) {
  // From stage 1 the restart comes after exactly one step, from stage 0 after exactly two.
  const StageGraph two({{0, 1}, {1, 0}});
  EXPECT_EQ(mixing_bound(two, 1, 1).gamma, 0);
  EXPECT_EQ(mixing_bound(two, 1, 2).gamma, 0) << "never at the same time";
  EXPECT_EQ(best_mixing_bound(two, 100).gap(), 0);
  // With a loop: tau_1 = 1 with .5 from both; tau_1 = 2 with .25 from both.
  const StageGraph half({{.5, .5}, {.5, .5}});
  EXPECT_NEAR(mixing_bound(half, 1, 2).gamma, .75, 1e-15);
  EXPECT_NEAR(mixing_bound(half, 2, 2).gamma, .5, 1e-15);
}

TEST(MixingBoundTest, Theorem36HoldsWhateverTheChains) {
  Random random(1);
  for (int i = 0; i < 30; ++i) {
    const StageGraph graph = random_graph(2 + i % 3, random);
    const double gap = 1 - joint_chain(graph, 3, random).second_eigenvalue();
    for (const std::uint64_t a : {1u, 2u, 5u})
      for (const std::uint64_t b : {a, a + 1, a + 7}) {
        const MixingBound bound = mixing_bound(graph, a, b);
        EXPECT_LE(bound.gap(), bound.tight_gap() + 1e-15);
        EXPECT_LE(bound.tight_gap(), gap + 1e-9);
      }
    const MixingBound best = best_mixing_bound(graph);
    EXPECT_LE(best.tight_gap(), gap + 1e-9);
    EXPECT_GE(best.tight_gap(), mixing_bound(graph, 1, 3).tight_gap() - 1e-15);
    EXPECT_GT(best.tight_gap(), 0);
  }
}

TEST(MixingBoundTest, Corollary37OfCycles) {
  Random random(2);
  for (const auto& leave : {std::vector{1.0, .2, .05}, std::vector{.5, .5, .1}, std::vector{1.0, .04, .002}}) {
    const StageGraph cycle = StageGraph::cycle(leave);
    const double gap = 1 - joint_chain(cycle, 3, random).second_eigenvalue();
    EXPECT_GE(gap, leave.back() / 78);
    const MixingBound best = best_mixing_bound(cycle);
    EXPECT_LE(best.tight_gap(), gap + 1e-9);
    EXPECT_GT(best.tight_gap(), leave.back() / 78) << "computed for the graph, the bound is better";
  }
}

TEST(MixingBoundTest, BoundsTheStagesThemselves) {
  Random random(3);
  for (int i = 0; i < 10; ++i) {
    const StageGraph graph = random_graph(4, random);
    EXPECT_LE(best_mixing_bound(graph).tight_gap(), 1 - stages_of(graph).second_eigenvalue() + 1e-9);
  }
}

}  // namespace
}  // namespace fovea::mcmc
