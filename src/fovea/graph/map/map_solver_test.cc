// SPDX-License-Identifier: Apache-2.0
#include "fovea/graph/map/map_solver.h"

#include <gtest/gtest.h>

#include "fovea/base/error.h"
#include "tests/support/enumerate_graph.h"
#include "tests/support/random_graphs.h"

namespace fovea::graph {
namespace {

MapAnswer solve_with(const FactorGraph& graph, SolveMethod method, const fovea::Run& run) {
  SolveLog log({});
  return find_map(graph, {.method = method}, run, log);
}

/// Little memory, so that no junction tree answers at once.
Run counted(double sweeps, int threads = 1) {
  return {.budget = {.sweeps = sweeps}, .memory_bytes = 1'000'000, .threads = threads};
}

/// A lattice, a dense pairwise model, one of larger factors, and one with hard constraints: each too wide for a
/// junction tree in the memory of the test, so that all members take part: tabu search in the dense one, expansion
/// search and belief propagation everywhere except on large factors.
std::vector<FactorGraph> models_for_all_members() {
  std::vector<FactorGraph> models;
  models.push_back(testing::random_grid(12, 12, 3, 2));
  models.push_back(
      testing::random_graph({.variable_count = 16, .factor_count = 110, .min_arity = 2, .max_arity = 2}, 3));
  models.push_back(testing::random_graph({.variable_count = 40, .factor_count = 90, .max_arity = 3}, 4));
  models.push_back(
      testing::random_graph({.variable_count = 40, .factor_count = 80, .forbidden = .2, .is_feasible = true}, 5));
  return models;
}

TEST(SolveMap, ABudgetGivesTheSameAnswerAtAnyNumberOfThreads) {
  const std::vector<FactorGraph> models = models_for_all_members();
  for (std::size_t m = 0; m < models.size(); ++m) {
    const auto with_threads = [&](int threads) {
      return solve_with(models[m], SolveMethod::kAuto,
                        {.budget = {.sweeps = 1500}, .memory_bytes = 1'000'000, .threads = threads});
    };
    const MapAnswer one = with_threads(1), again = with_threads(1), two = with_threads(2);
    EXPECT_NEAR(models[m].log_score(one.best.values), one.best.score, 1e-9);
    EXPECT_EQ(again.best.values, one.best.values) << m;
    EXPECT_EQ(again.upper_bound, one.upper_bound) << m;
    EXPECT_NEAR(two.best.score, one.best.score, 1e-9) << m;
    EXPECT_EQ(two.best.values, one.best.values) << m;
  }
}

TEST(SolveMap, ASearchFindsWhatEnumerationFinds) {
  for (std::uint32_t seed = 0; seed < 8; ++seed) {
    const FactorGraph graph =
        testing::random_graph({.variable_count = 10, .factor_count = 30, .forbidden = .1, .is_feasible = true}, seed);
    const MapAnswer answer = solve_with(graph, SolveMethod::kSearch, counted(2000));
    EXPECT_NEAR(answer.best.score, testing::enumerate_graph(graph).best.score, 1e-9) << seed;
    EXPECT_FALSE(answer.method.empty());
  }
}

TEST(SolveMap, RefusesWhatIsImpossible) {
  FactorGraph::Builder builder;
  builder.add_variable(2);
  builder.add_factor(std::vector<VariableId>{0}, std::vector<double>{-INFINITY, 0});
  builder.add_factor(std::vector<VariableId>{0}, std::vector<double>{0, -INFINITY});
  EXPECT_THROW(solve_with(builder.build(), SolveMethod::kAuto, counted(10)), InfeasibleError);
}

}  // namespace
}  // namespace fovea::graph
