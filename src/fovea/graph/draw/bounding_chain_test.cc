// SPDX-License-Identifier: Apache-2.0
#include "fovea/graph/draw/bounding_chain.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <map>

#include "fovea/base/error.h"
#include "fovea/graph/draw/draw_chains.h"
#include "tests/support/enumerate_graph.h"
#include "tests/support/expect_error.h"
#include "tests/support/random_graphs.h"

namespace fovea::graph {
namespace {

testing::RandomGraphShape small_shape(double forbidden = 0) {
  return {.variable_count = 4,
          .factor_count = 6,
          .max_arity = 3,
          .scale = .7,
          .forbidden = forbidden,
          .shared_tables = .3,
          .is_feasible = true};
}

/// The sum of (count - expected)^2 / expected over all assignments, and their number less one.
std::pair<double, double> chi_squared(const std::map<Assignment, double>& law,
                                      const std::map<Assignment, std::size_t>& counts, double draws) {
  double sum = 0, rest_expected = 0, rest_count = 0, cells = 0;
  for (const auto& [assignment, count] : counts) EXPECT_TRUE(law.contains(assignment));
  for (const auto& [assignment, probability] : law) {
    const auto found = counts.find(assignment);
    const double count = found == counts.end() ? 0 : static_cast<double>(found->second);
    if (probability * draws < 5) {  // rare ones together
      rest_expected += probability * draws;
      rest_count += count;
      continue;
    }
    ++cells;
    sum += (count - probability * draws) * (count - probability * draws) / (probability * draws);
  }
  if (rest_expected > 0) {
    ++cells;
    sum += (rest_count - rest_expected) * (rest_count - rest_expected) / rest_expected;
  }
  return {sum, cells - 1};
}

/// 4.5 standard deviations above the mean of a chi-squared law: one false failure in 1e5 or fewer.
double most_chi_squared(double freedom) { return freedom + 4.5 * std::sqrt(2 * freedom) + 10; }

TEST(BoundingChain, HoldsEveryChainThatIsDrivenByTheSameNumbers) {
  for (std::uint32_t seed = 0; seed < 6; ++seed) {
    const FactorGraph graph = testing::random_graph(small_shape(seed % 2 ? .1 : 0), seed);
    BoundingChain all(graph);
    std::vector<BoundingChain> single;
    for (const auto& [assignment, probability] : testing::law_of(graph)) single.emplace_back(graph).start(assignment);
    for (int sweep = 0; sweep < 10; ++sweep) {
      Random numbers = Random(seed).child("sweep", static_cast<std::uint64_t>(sweep));
      const Random same = numbers;
      all.sweep(numbers);
      for (BoundingChain& chain : single) {
        Random again = same;
        chain.sweep(again);
        ASSERT_TRUE(chain.is_single());
        for (VariableId v = 0; v < graph.variable_count(); ++v) EXPECT_TRUE(all.may_have(v, chain.values()[v]));
      }
    }
  }
}

TEST(BoundingChain, DrawsTheModelsLawFromThePast) {
  for (std::uint32_t seed = 0; seed < 4; ++seed) {
    const FactorGraph graph = testing::random_graph(small_shape(), seed);
    BoundingChain chain(graph);
    std::map<Assignment, std::size_t> counts;
    std::uint64_t sweeps = 0;
    constexpr int kDraws = 20000;
    for (int draw = 0; draw < kDraws; ++draw) {
      const auto drawn =
          draw_from_the_past(chain, Random(seed).child("draw", static_cast<std::uint64_t>(draw)), 1 << 20, {}, sweeps);
      ASSERT_TRUE(drawn);
      ++counts[*drawn];
    }
    const auto [sum, freedom] = chi_squared(testing::law_of(graph), counts, kDraws);
    EXPECT_LT(sum, most_chi_squared(freedom)) << freedom;
  }
}

TEST(PerfectDraws, HaveTheModelsLawByElimination) {
  for (std::uint32_t seed = 0; seed < 4; ++seed) {
    const FactorGraph graph = testing::random_graph(small_shape(.2), seed);
    std::map<Assignment, std::size_t> counts;
    const DrawSummary summary = draw_chains(graph, {}, {.chains = 2, .draws = 10000, .perfect = true},
                                            {.random = Random(seed)}, [&](int, std::span<const Assignment> chains) {
                                              for (const Assignment& drawn : chains) ++counts[drawn];
                                            });
    EXPECT_EQ(summary.perfect, DrawSummary::Perfect::kElimination);
    const auto [sum, freedom] = chi_squared(testing::law_of(graph), counts, 20000);
    EXPECT_LT(sum, most_chi_squared(freedom)) << freedom;
  }
}

// One cluster of 2^14 joint values, which are looked at row by row.
TEST(PerfectDraws, HaveTheModelsLawInLargeClusters) {
  FactorGraph::Builder builder;
  for (int v = 0; v < 14; ++v) builder.add_variable(2);
  Random random(4);
  for (VariableId a = 0; a < 14; ++a)
    for (VariableId b = a + 1; b < 14; ++b)
      builder.add_factor(std::array{a, b},
                         std::array{random.normal(), random.normal(), random.normal(), random.normal()});
  const FactorGraph graph = builder.build();
  const testing::EnumeratedGraph expected = testing::enumerate_graph(graph);
  std::vector<double> ones(14);
  draw_chains(graph, {}, {.chains = 1, .draws = 1000, .perfect = true}, {},
              [&](int, std::span<const Assignment> chains) {
                for (VariableId v = 0; v < 14; ++v) ones[v] += chains[0][v];
              });
  for (VariableId v = 0; v < 14; ++v) {
    const double p = expected.marginals[v][1];
    EXPECT_NEAR(ones[v] / 1000, p, 5 * std::sqrt(p * (1 - p) / 1000) + 1e-9) << v;
  }
}

TEST(PerfectDraws, AreCoupledWhereTablesDoNotFit) {
  const FactorGraph graph = testing::random_grid(4, 4, 2, 3);
  const auto draws_of = [&](int threads) {
    std::vector<Assignment> all;
    const DrawSummary summary = draw_chains(
        graph, {}, {.chains = 3, .draws = 4, .perfect = true}, {.memory_bytes = 1, .threads = threads},
        [&](int, std::span<const Assignment> chains) { all.insert(all.end(), chains.begin(), chains.end()); });
    EXPECT_EQ(summary.perfect, DrawSummary::Perfect::kCoupling);
    EXPECT_GT(summary.mean_sweeps, 0);
    return all;
  };
  EXPECT_EQ(draws_of(1).size(), 12u);
  EXPECT_EQ(draws_of(1), draws_of(3));
}

/// Two variables of two values that hardly ever change one at a time.
FactorGraph stuck_pair() {
  FactorGraph::Builder builder;
  const std::array scope = {builder.add_variable(2), builder.add_variable(2)};
  builder.add_factor(scope, std::array{0.0, -25.0, -25.0, 0.0});
  return builder.build();
}

TEST(PerfectDraws, SayWhenChainsHaveNotMet) {
  EXPECT_THAT(testing::message_of<LimitError>([&] {
                draw_chains(stuck_pair(), {}, {.perfect = true}, {.stop = Stop{}.within(.05), .memory_bytes = 1},
                            [](int, std::span<const Assignment>) {});
              }),
              HasSubstr("chains from all assignments have not met"));
}

// Without a limit of time: what has not met after the most sweeps is not written as a draw.
TEST(PerfectDraws, GiveUpOnChainsThatDoNotMeet) {
  int written = 0;
  EXPECT_THAT(testing::message_of<LimitError>([&] {
                draw_chains(stuck_pair(), {}, {.chains = 1, .draws = 2, .perfect = true}, {.memory_bytes = 1},
                            [&](int, std::span<const Assignment>) { ++written; });
              }),
              HasSubstr("no perfect draw"));
  EXPECT_EQ(written, 0);
}

TEST(Distance, IsThatOfTheMeetingTimes) {
  const std::vector<double> times = {3, 3, 3, 3};
  EXPECT_NEAR(distance_with_restarts(times, .1), 1 - .9 * .9 * .9, 1e-12);
  const std::vector<double> never = {3, std::numeric_limits<double>::infinity()};
  EXPECT_EQ(distance_with_restarts(never, .1), 1);
  EXPECT_EQ(distance_with_restarts({}, .1), 1);
}

/// pi~ = epsilon sum_t (1 - epsilon)^t u A^t of restarts (equation (3) of the paper), for two variables of two values
/// that are visited in turn.
std::array<double, 4> law_with_restarts(const FactorGraph& graph, double epsilon) {
  std::array<double, 4> step = {.25, .25, .25, .25}, law = {};
  const auto visit = [&](VariableId v) {
    std::array<double, 4> next = {};
    for (Value a = 0; a < 2; ++a)
      for (Value b = 0; b < 2; ++b) {
        std::array<double, 2> scores;
        graph.conditional_scores(v, Assignment{a, b}, std::span<double>(scores));
        for (Value k = 0; k < 2; ++k) {
          const double share = std::exp(scores[k]) / (std::exp(scores[0]) + std::exp(scores[1]));
          next[v == 0 ? 2u * k + b : 2u * a + k] += step[2u * a + b] * share;
        }
      }
    step = next;
  };
  for (double weight = epsilon; weight > 1e-14; weight *= 1 - epsilon) {
    for (std::size_t i = 0; i < 4; ++i) law[i] += weight * step[i];
    visit(0);
    visit(1);
  }
  return law;
}

/// A pair that favours (1, 1) and is slow to get there, so that each sweep matters.
FactorGraph slow_pair() {
  FactorGraph::Builder builder;
  const std::array scope = {builder.add_variable(2), builder.add_variable(2)};
  builder.add_factor(scope, std::array{0.0, -1.5, -1.5, 2.0});
  return builder.build();
}

TEST(Restarts, HaveTheLawOfTheChainWithRestarts) {
  const FactorGraph graph = slow_pair();
  for (const double epsilon : {.8, .5, .1}) {
    std::array<double, 4> counts = {};
    const DrawSummary summary = draw_chains(graph, {}, {.chains = 4, .draws = 20000, .restart_rate = epsilon},
                                            {.random = Random(9)}, [&](int, std::span<const Assignment> chains) {
                                              for (const Assignment& drawn : chains) ++counts[2u * drawn[0] + drawn[1]];
                                            });
    const std::array<double, 4> law = law_with_restarts(graph, epsilon);
    double distance = 0;
    for (std::size_t i = 0; i < 4; ++i) {
      EXPECT_NEAR(counts[i] / 80000, law[i], 5 * std::sqrt(law[i] * (1 - law[i]) / 80000)) << epsilon << " " << i;
      distance +=
          std::abs(law[i] - testing::law_of(graph)[Assignment{static_cast<Value>(i / 2), static_cast<Value>(i % 2)}]) /
          2;
    }
    ASSERT_TRUE(summary.distance);
    EXPECT_GE(*summary.distance, distance) << epsilon;
  }
}

TEST(Restarts, TakeTheRateThatADistanceAsksFor) {
  const DrawSummary summary = draw_chains(slow_pair(), {}, {.chains = 1, .draws = 10, .distance = .02},
                                          {.random = Random(9)}, [](int, std::span<const Assignment>) {});
  ASSERT_TRUE(summary.distance);
  EXPECT_LE(*summary.distance, .02);
  EXPECT_GT(summary.restart_rate, 1e-4);
  EXPECT_THAT(testing::message_of<LimitError>([&] {
                draw_chains(stuck_pair(), {}, {.distance = .02}, {.stop = Stop{}.within(.05)},
                            [](int, std::span<const Assignment>) {});
              }),
              HasSubstr("no restart rate is known"));
}

TEST(DrawOptions, RefuseWhatPerfectDrawsDoNotHeed) {
  const auto message = [](const DrawOptions& options) {
    return testing::message_of<UsageError>([&] { check(options); });
  };
  EXPECT_THAT(message({.warm_up = 3, .perfect = true}), HasSubstr("'warm-up' has no meaning with option 'perfect'"));
  EXPECT_THAT(message({.temperatures = 3, .perfect = true}), HasSubstr("'temperatures'"));
  EXPECT_THAT(message({.restart_rate = .1, .perfect = true}), HasSubstr("'restart-rate'"));
  EXPECT_THAT(message({.restart_rate = .1, .distance = .1}), HasSubstr("'restart-rate' has no meaning with option"));
  EXPECT_THAT(message({.distance = .1, .exactness = "exact"}), HasSubstr("'exactness'"));
}

}  // namespace
}  // namespace fovea::graph
