// SPDX-License-Identifier: Apache-2.0
#include "fovea/graph/temper/parallel_tempering.h"

#include <gtest/gtest.h>

#include <cmath>
#include <map>

#include "fovea/base/random.h"
#include "tests/support/enumerate_graph.h"
#include "tests/support/enumerating_random.h"
#include "tests/support/random_graphs.h"
#include "tests/support/two_modes.h"

namespace fovea::graph {
namespace {

using Pair = std::pair<Assignment, Assignment>;  // the cold replica's values, the hot one's

const std::vector<double> kInverse = {1, .3};

/// p(cold) p(hot)^.3, normalised.
std::map<Pair, double> product_law(const FactorGraph& graph) {
  std::map<Pair, double> law;
  double total = 0;
  testing::for_each_assignment(graph, [&](const Assignment& cold, double cold_score) {
    testing::for_each_assignment(graph, [&](const Assignment& hot, double hot_score) {
      total += law[{cold, hot}] = std::exp(kInverse[0] * cold_score + kInverse[1] * hot_score);
    });
  });
  for (auto& [pair, p] : law) p /= total;
  return law;
}

/// Gap between the law of pairs of replicas and what `move` makes of it.
template <class Move>
double pair_gap(const FactorGraph& graph, const Move& move) {
  const SoftTables tables = SoftTables::build(graph, 100).value();
  return testing::invariance_gap(product_law(graph), [&](const Pair& before, testing::EnumeratingRandom& random) {
    ParallelTempering tempering(tables, kInverse, {before.first, before.second});
    move(tempering, random);
    return Pair{tempering.values(0), tempering.values(1)};
  });
}

FactorGraph small_graph(std::uint32_t seed) {
  return testing::random_graph({.variable_count = 3, .factor_count = 5, .max_cardinality = 2, .scale = 1.5}, seed);
}

TEST(ParallelTemperingTest, SweepsAndTradesLeaveTheProductLawInvariant) {
  for (std::uint32_t seed = 1; seed <= 5; ++seed) {
    const FactorGraph graph = small_graph(seed);
    EXPECT_LT(pair_gap(graph, [](ParallelTempering& t, auto& r) { t.trade(0, r); }), 1e-12);
    EXPECT_LT(pair_gap(graph, [](ParallelTempering& t, auto& r) { t.sweep(r); }), 1e-12);
  }
}

TEST(ParallelTemperingTest, TheTestCatchesTradesThatAreAlwaysAccepted) {
  const auto always = [](ParallelTempering& t, testing::EnumeratingRandom& r) {
    struct Eager {
      testing::EnumeratingRandom& random;
      bool bernoulli_log(double) { return true; }
    } eager{r};
    t.trade(0, eager);
  };
  EXPECT_GT(pair_gap(small_graph(1), always), 1e-3);
}

TEST(ParallelTemperingTest, TradesPairsFromTheFirstOn) {
  const FactorGraph graph = small_graph(1);
  const SoftTables tables = SoftTables::build(graph, 100).value();
  const Assignment best = testing::enumerate_graph(graph).best.values;
  Assignment other = best;
  other[0] = 1 - other[0];
  ParallelTempering tempering(tables, geometric_ladder(.01, 3), {other, other, best});
  Random random(1);
  EXPECT_EQ(tempering.trade(1, random), 1u);  // the better assignment always moves towards the cold end
  EXPECT_EQ(tempering.values(1), best);
  EXPECT_EQ(tempering.trade(0, random), 1u);
  EXPECT_EQ(tempering.values(0), best);
}

/// Two modes; a single replica would leave its own in one of the draws with probability below 4 * 20000 * e^-25 = 1e-6.
TEST(ParallelTemperingTest, CrossesWhatASingleReplicaCannot) {
  const FactorGraph graph = testing::two_modes(4, 25);
  const SoftTables tables = SoftTables::build(graph, 100).value();
  ParallelTempering tempering(tables, geometric_ladder(.02, 8), std::vector<Assignment>(8, Assignment(4, 0)));
  Random random(1);
  const std::size_t draws = 20'000;
  std::size_t ones = 0;
  for (std::size_t i = 0; i < draws; ++i) {
    tempering.sweep(random);
    tempering.trade(i % 2, random);
    ones += tempering.values(0)[0];
  }
  EXPECT_GT(ones, 0u);
  EXPECT_LT(ones, draws);
}

TEST(ParallelTemperingTest, TheLadderIsGeometric) {
  const std::vector<double> ladder = geometric_ladder(.25, 3);
  EXPECT_EQ(ladder[0], 1);
  EXPECT_NEAR(ladder[1], .5, 1e-15);
  EXPECT_NEAR(ladder[2], .25, 1e-15);
}

}  // namespace
}  // namespace fovea::graph
