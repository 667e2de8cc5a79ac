// SPDX-License-Identifier: Apache-2.0
#include "fovea/graph/map/diverse_map.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "fovea/base/log_math.h"
#include "fovea/mcmc/enumeration.h"
#include "tests/support/enumerate_graph.h"
#include "tests/support/random_graphs.h"

namespace fovea::graph {
namespace {

std::size_t distance(const Assignment& a, const Assignment& b) {
  std::size_t differing = 0;
  for (std::size_t v = 0; v < a.size(); ++v) differing += a[v] != b[v];
  return differing;
}

DiverseAnswers diverse_answers(const FactorGraph& graph, int wanted, int least, const fovea::Run& run = {}) {
  SolveLog log({});
  return find_diverse(graph, testing::enumerate_graph(graph).best, {.diverse = wanted, .distance = least}, run, log);
}

TEST(FindDiverse, AnswersKeepTheirDistanceAndComeBestFirst) {
  for (std::uint32_t seed = 0; seed < 4; ++seed) {
    const FactorGraph graph = testing::random_grid(3, 3, 3, seed);
    const std::vector<ScoredAssignment> answers = diverse_answers(graph, 3, 3).answers;
    ASSERT_EQ(answers.size(), 3u);
    EXPECT_NEAR(answers[0].score, testing::enumerate_graph(graph).best.score, 1e-9);
    for (std::size_t i = 0; i < answers.size(); ++i) {
      EXPECT_NEAR(answers[i].score, graph.log_score(answers[i].values), 1e-9);
      for (std::size_t j = 0; j < i; ++j) {
        EXPECT_LE(answers[i].score, answers[j].score);
        EXPECT_GE(distance(answers[i].values, answers[j].values), 3u);
      }
    }
  }
}

/// Two variables that must be equal: two assignments are possible.
TEST(FindDiverse, FewerWhereThereAreFewer) {
  FactorGraph::Builder builder;
  for (int v = 0; v < 2; ++v) builder.add_variable(2);
  builder.add_factor(std::vector<VariableId>{0, 1}, std::vector<double>{1, -INFINITY, -INFINITY, 0});
  const FactorGraph graph = builder.build();
  const auto [answers, is_complete] = diverse_answers(graph, 5, 2);
  EXPECT_TRUE(is_complete);
  ASSERT_EQ(answers.size(), 2u);
  EXPECT_EQ(answers[0].values, Assignment(2, 0));
  EXPECT_EQ(answers[1].values, Assignment(2, 1));
}

/// At distance 1 these are the best assignments, and all of them if there are fewer than were asked for.
TEST(FindDiverse, AtDistanceOneTheyAreTheBestOfAll) {
  for (std::uint32_t seed = 1; seed <= 12; ++seed) {
    const FactorGraph graph = testing::random_graph(
        {.variable_count = 4, .factor_count = 5, .max_cardinality = 3, .forbidden = .5, .is_feasible = true}, seed);
    const std::vector<ScoredAssignment> expected = mcmc::enumerate_n_best(graph, 7);
    const auto [answers, is_complete] = diverse_answers(graph, 7, 1);
    EXPECT_TRUE(is_complete);
    ASSERT_EQ(answers.size(), expected.size()) << "seed " << seed;
    for (std::size_t i = 0; i < answers.size(); ++i) EXPECT_NEAR(answers[i].score, expected[i].score, 1e-9);
  }
}

/// Each further answer is the best that is far enough from those before it; after the last, no assignment is.
TEST(FindDiverse, EachIsTheBestThatIsFarFromThoseBefore) {
  for (std::uint32_t seed = 1; seed <= 8; ++seed) {
    const FactorGraph graph = testing::random_graph(
        {.variable_count = 5, .factor_count = 7, .max_cardinality = 3, .forbidden = .2, .is_feasible = true}, seed);
    for (const int least : {2, 3, 6}) {
      const auto [answers, is_complete] = diverse_answers(graph, 40, least);
      EXPECT_TRUE(is_complete);
      std::vector<ScoredAssignment> before;
      for (std::size_t i = 0; i <= answers.size(); ++i) {
        double best = kImpossible;
        testing::for_each_assignment(graph, [&](const Assignment& y, double score) {
          const bool is_far = std::ranges::all_of(
              before, [&](const auto& other) { return distance(y, other.values) >= static_cast<std::size_t>(least); });
          if (is_far) best = std::max(best, score);
        });
        EXPECT_NEAR(i < answers.size() ? std::exp(answers[i].score) : 0, std::exp(best), 1e-9 * std::exp(best));
        if (i < answers.size()) before.push_back(answers[i]);
      }
    }
  }
}

TEST(FindDiverse, OnlyTheBestOnceStopIsRequested) {
  const FactorGraph graph = testing::random_grid(3, 3, 2, 1);
  const fovea::Run late = {.stop = {.deadline = Stop::Clock::time_point::min()}};
  const DiverseAnswers found = diverse_answers(graph, 3, 1, late);
  EXPECT_EQ(found.answers.size(), 1u);
  EXPECT_FALSE(found.is_complete);
}

}  // namespace
}  // namespace fovea::graph
