// SPDX-License-Identifier: Apache-2.0
#include "fovea/graph/propagation/belief_propagation.h"

#include <gtest/gtest.h>

#include <cmath>

#include "fovea/base/error.h"
#include "fovea/base/log_math.h"
#include "tests/support/enumerate_graph.h"
#include "tests/support/random_graphs.h"
#include "tests/support/random_trees.h"

namespace fovea::graph {
namespace {

constexpr std::uint32_t kTrials = 60;

constexpr MessageSchedule kSchedules[] = {MessageSchedule::kSequential, MessageSchedule::kParallel,
                                          MessageSchedule::kResidual};

FactorGraph any_tree(std::uint32_t seed) {
  return testing::random_tree({.factor_count = seed % 5, .forbidden = 0.2 * (seed % 3)}, seed);
}

std::vector<std::vector<double>> beliefs(const BeliefPropagation& propagation, const FactorGraph& graph) {
  std::vector<std::vector<double>> result;
  for (VariableId v = 0; v < graph.variable_count(); ++v) {
    result.emplace_back(graph.cardinality(v));
    propagation.belief(v, result.back());
  }
  return result;
}

double largest_gap(const std::vector<std::vector<double>>& a, const std::vector<std::vector<double>>& b) {
  double gap = 0;
  for (std::size_t v = 0; v < a.size(); ++v)
    for (std::size_t k = 0; k < a[v].size(); ++k) gap = std::max(gap, std::abs(a[v][k] - b[v][k]));
  return gap;
}

/// The highest score with each value of each variable, linear, the best at 1.
std::vector<std::vector<double>> enumerate_max_marginals(const FactorGraph& graph) {
  const double best = testing::enumerate_graph(graph).best.score;
  std::vector<std::vector<double>> result;
  for (VariableId v = 0; v < graph.variable_count(); ++v) result.emplace_back(graph.cardinality(v), 0.0);
  testing::for_each_assignment(graph, [&](const Assignment& y, double score) {
    for (std::size_t v = 0; v < y.size(); ++v) result[v][y[v]] = std::max(result[v][y[v]], std::exp(score - best));
  });
  return result;
}

/// The scores times `inverse_temperature`, with the favours as factors of their own.
FactorGraph heated(const FactorGraph& graph, double inverse_temperature,
                   const std::vector<BeliefPropagation::Favour>& favours) {
  FactorGraph::Builder builder;
  for (const std::uint32_t cardinality : graph.cardinalities()) builder.add_variable(cardinality);
  for (FactorId f = 0; f < graph.factor_count(); ++f) {
    std::vector<double> scores(graph.table(f).begin(), graph.table(f).end());
    for (double& score : scores) score *= inverse_temperature;
    builder.add_factor(graph.scope(f), scores);
  }
  for (const BeliefPropagation::Favour& favour : favours) {
    std::vector<double> scores(graph.cardinality(favour.variable), 0);
    scores[favour.value] = favour.score;
    builder.add_factor(std::span(&favour.variable, 1), scores);
  }
  return builder.build();
}

class BeliefPropagationTest : public ::testing::TestWithParam<MessageSchedule> {};

TEST_P(BeliefPropagationTest, SumProductIsExactOnTrees) {
  for (std::uint32_t seed = 0; seed < kTrials; ++seed) {
    const FactorGraph graph = any_tree(seed);
    const testing::EnumeratedGraph exact = testing::enumerate_graph(graph);
    BeliefPropagation propagation(graph, {.schedule = GetParam()});
    propagation.run(100);
    EXPECT_TRUE(propagation.is_converged()) << "seed " << seed;
    EXPECT_LT(largest_gap(beliefs(propagation, graph), exact.marginals), 1e-7) << "seed " << seed;
    EXPECT_NEAR(propagation.log_partition().value(), exact.log_z, 1e-7) << "seed " << seed;
  }
}

TEST_P(BeliefPropagationTest, MaxProductIsExactOnTreesAndDecodesTheOptimum) {
  for (std::uint32_t seed = 0; seed < kTrials; ++seed) {
    const FactorGraph graph = any_tree(seed);
    const testing::EnumeratedGraph exact = testing::enumerate_graph(graph);
    BeliefPropagation propagation(graph, {.product = MessageProduct::kMax, .schedule = GetParam(), .damping = 0.1});
    propagation.run(1000);
    EXPECT_TRUE(propagation.is_converged()) << "seed " << seed;
    EXPECT_LT(largest_gap(beliefs(propagation, graph), enumerate_max_marginals(graph)), 1e-6) << "seed " << seed;
    EXPECT_NEAR(propagation.log_partition().value(), exact.best.score, 1e-6) << "seed " << seed;
    EXPECT_NEAR(propagation.decode().score, exact.best.score, 1e-9) << "seed " << seed;
  }
}

TEST_P(BeliefPropagationTest, RulesOutOnlyWhatIsImpossible) {
  std::size_t infeasible = 0;
  for (std::uint32_t seed = 0; seed < 2 * kTrials; ++seed) {
    const FactorGraph graph = testing::random_graph(
        {.variable_count = 6, .factor_count = 9, .max_arity = 3, .forbidden = 0.2 + 0.4 * (seed % 2)}, seed);
    const testing::EnumeratedGraph exact = testing::enumerate_graph(graph);
    BeliefPropagation propagation(graph, {.schedule = GetParam()});
    propagation.run(20);
    if (propagation.is_infeasible()) {
      ++infeasible;
      EXPECT_FALSE(exact.best.found()) << "seed " << seed;
      EXPECT_EQ(propagation.log_partition().value(), -kInfinity) << "seed " << seed;
      EXPECT_FALSE(propagation.decode().found()) << "seed " << seed;
      continue;
    }
    const auto found = beliefs(propagation, graph);
    for (std::size_t v = 0; v < found.size(); ++v)
      for (std::size_t k = 0; k < found[v].size(); ++k) {
        ASSERT_TRUE(std::isfinite(found[v][k])) << "seed " << seed;
        EXPECT_TRUE(found[v][k] > 0 || exact.marginals[v][k] == 0) << "seed " << seed;
      }
    const ScoredAssignment decoded = propagation.decode();
    if (!decoded.found()) continue;
    EXPECT_EQ(decoded.score, graph.log_score(decoded.values)) << "seed " << seed;
    EXPECT_EQ(beliefs(propagation, graph), found) << "decoding must keep the messages; seed " << seed;
  }
  EXPECT_GT(infeasible, 0u);
}

TEST_P(BeliefPropagationTest, SeveralRunsEqualOne) {
  const FactorGraph graph = testing::random_graph({.variable_count = 12, .factor_count = 20}, 5);
  BeliefPropagation once(graph, {.schedule = GetParam(), .tolerance = 0}),
      twice(graph, {.schedule = GetParam(), .tolerance = 0});
  once.run(7);
  twice.run(3);
  twice.run(4);
  EXPECT_EQ(beliefs(once, graph), beliefs(twice, graph));
  EXPECT_EQ(once.log_partition(), twice.log_partition());
}

TEST_P(BeliefPropagationTest, SumsWhereLinearNumbersUnderflow) {
  FactorGraph::Builder builder;
  for (int v = 0; v < 3; ++v) builder.add_variable(2);
  const std::vector<double> table = {0, -900, -800, -1700};
  builder.add_factor(std::vector<VariableId>{0, 1}, table);
  builder.add_factor(std::vector<VariableId>{1, 2}, table);
  builder.add_factor(std::vector<VariableId>{0}, std::vector<double>{-1500, 0});
  const FactorGraph graph = builder.build();
  BeliefPropagation propagation(graph, {.schedule = GetParam()});
  propagation.run(10);
  EXPECT_FALSE(propagation.is_infeasible());
  EXPECT_NEAR(propagation.log_partition().value(), -800, 1e-9);
  EXPECT_EQ(propagation.decode().values, (Assignment{1, 0, 0}));
}

TEST_P(BeliefPropagationTest, StopsAtOnceAndCanGoOn) {
  CancelToken cancel;
  cancel.cancel();
  const FactorGraph graph = testing::random_grid(20, 20, 3, 5);
  BeliefPropagation stopped(graph, {.schedule = GetParam()}), straight(graph, {.schedule = GetParam()});
  stopped.run(3, {.cancel = &cancel});
  EXPECT_EQ(stopped.iterations(), 0u);
  EXPECT_EQ(stopped.change(), kInfinity);
  stopped.run(3);
  straight.run(3);
  EXPECT_EQ(beliefs(stopped, graph), beliefs(straight, graph));
}

TEST_P(BeliefPropagationTest, RestartsAsOnTheHeatedModel) {
  for (std::uint32_t seed = 0; seed < kTrials; ++seed) {
    const FactorGraph graph = any_tree(seed);
    const double inverse_temperature = seed % 2 ? .5 : 300;  // the latter: sums that underflow
    const std::vector<BeliefPropagation::Favour> favours = {{.variable = 0, .value = 0, .score = -.7}};
    const FactorGraph other = heated(graph, inverse_temperature, favours);
    BeliefPropagation restarted(graph, {.schedule = GetParam()}), fresh(other, {.schedule = GetParam()});
    restarted.run(3);
    restarted.restart(inverse_temperature, favours);
    EXPECT_EQ(restarted.iterations(), 0u);
    restarted.run(100);
    fresh.run(100);
    EXPECT_EQ(restarted.is_infeasible(), fresh.is_infeasible());
    EXPECT_LT(largest_gap(beliefs(restarted, graph), beliefs(fresh, other)), 1e-9) << "seed " << seed;
  }
}

INSTANTIATE_TEST_SUITE_P(Schedules, BeliefPropagationTest, ::testing::ValuesIn(kSchedules),
                         [](const auto& parameter) { return std::string(word_of(parameter.param)); });

TEST(BeliefPropagationSchedulesTest, AgreeAtTheirFixedPoint) {
  const FactorGraph graph = testing::random_graph(
      {.variable_count = 20, .factor_count = 25, .max_arity = 4, .scale = 0.3, .shared_tables = 0.3}, 11);
  std::vector<std::vector<double>> reference;
  for (const MessageSchedule schedule : kSchedules)
    for (const double damping : {0.0, 0.4}) {
      BeliefPropagation propagation(graph, {.schedule = schedule, .damping = damping, .tolerance = 1e-10});
      propagation.run(1000);
      ASSERT_TRUE(propagation.is_converged()) << word_of(schedule);
      if (reference.empty()) reference = beliefs(propagation, graph);
      EXPECT_LT(largest_gap(beliefs(propagation, graph), reference), 1e-7) << word_of(schedule);
    }
}

TEST(BeliefPropagationSchedulesTest, LargeTablesAndDecodingStopWhenAsked) {
  CancelToken cancel;
  const FactorGraph graph = testing::random_grid(40, 40, 8, 5);
  BeliefPropagation propagation(graph);
  propagation.run(2);
  cancel.cancel();
  EXPECT_FALSE(propagation.decode({.cancel = &cancel}).found());
  EXPECT_FALSE(propagation.log_partition({.cancel = &cancel}).has_value());
  EXPECT_TRUE(propagation.decode().found());
}

TEST(BeliefPropagationSchedulesTest, RefuseOptionsOutOfRange) {
  const FactorGraph graph = testing::random_grid(2, 2, 2, 5);
  EXPECT_THROW(BeliefPropagation(graph, {.damping = 1}), UsageError);
  EXPECT_THROW(BeliefPropagation(graph, {.decode_rounds = -1}), UsageError);
  EXPECT_THROW(BeliefPropagation(graph, {.tolerance = -1}), UsageError);
}

}  // namespace
}  // namespace fovea::graph
