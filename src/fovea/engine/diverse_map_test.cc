// SPDX-License-Identifier: Apache-2.0
#include "fovea/engine/diverse_map.h"

#include <gtest/gtest.h>

#include "tests/support/enumerate_graph.h"
#include "tests/support/random_graphs.h"

namespace fovea {
namespace {

std::size_t distance(const Assignment& a, const Assignment& b) {
  std::size_t differing = 0;
  for (std::size_t v = 0; v < a.size(); ++v) differing += a[v] != b[v];
  return differing;
}

std::vector<ScoredAssignment> diverse_answers(const FactorGraph& graph, int wanted, int least,
                                              const SolveLimits& limits = {}) {
  SolveOptions options;
  options.diverse = wanted;
  options.distance = least;
  SolveLog log({});
  return find_diverse(graph, testing::enumerate_graph(graph).best,
                      {.graph = graph, .options = options, .limits = limits}, log);
}

TEST(FindDiverse, AnswersKeepTheirDistanceAndComeBestFirst) {
  for (std::uint32_t seed = 0; seed < 4; ++seed) {
    const FactorGraph graph = testing::random_grid(3, 3, 3, seed);
    const std::vector<ScoredAssignment> answers = diverse_answers(graph, 3, 3);
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
  const std::vector<ScoredAssignment> answers = diverse_answers(graph, 5, 2);
  ASSERT_EQ(answers.size(), 2u);
  EXPECT_EQ(answers[0].values, Assignment(2, 0));
  EXPECT_EQ(answers[1].values, Assignment(2, 1));
}

TEST(FindDiverse, OnlyTheBestOnceStopIsRequested) {
  const FactorGraph graph = testing::random_grid(3, 3, 2, 1);
  SolveLimits limits;
  limits.stop.deadline = Stop::Clock::time_point::min();
  EXPECT_EQ(diverse_answers(graph, 3, 1, limits).size(), 1u);
}

}  // namespace
}  // namespace fovea
