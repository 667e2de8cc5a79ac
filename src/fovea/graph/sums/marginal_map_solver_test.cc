// SPDX-License-Identifier: Apache-2.0
#include "fovea/graph/sums/marginal_map_solver.h"

#include <gtest/gtest.h>

#include "fovea/base/error.h"
#include "fovea/base/log_math.h"
#include "fovea/graph/solve/solve.h"
#include "tests/support/enumerate_graph.h"
#include "tests/support/random_graphs.h"

namespace fovea::graph {
namespace {

constexpr double kQueryTolerance = 1e-9;

MarginalMapResult solve_query(const FactorGraph& graph, const std::vector<VariableId>& query, const fovea::Run& run,
                              SolveMethod method = SolveMethod::kAuto) {
  return solve_marginal_map(graph, query, {}, {.method = method}, run);
}

double sum_of(const FactorGraph& graph, const std::vector<VariableId>& query, const MarginalMapResult& result) {
  std::vector<Value> values;
  for (const VariableId v : query) values.push_back(result.best.values[v]);
  return testing::enumerate_log_sum(graph, query, values);
}

constexpr std::uint64_t kFewBytes = 64;  // enough for sums over single variables
const std::vector<VariableId> kCheckerboard = {0, 2, 5, 7, 8, 10};

TEST(MarginalMapSolver, SearchesWithExactSumsWhereNoTreeFits) {
  for (std::uint32_t seed = 0; seed < 3; ++seed) {
    const FactorGraph grid = testing::random_grid(3, 4, 2, seed);
    EXPECT_THROW(solve_query(grid, kCheckerboard, {.memory_bytes = kFewBytes}, SolveMethod::kExact), LimitError);
    const MarginalMapResult result = solve_query(grid, kCheckerboard, {.memory_bytes = kFewBytes});
    EXPECT_EQ(result.status, SolveStatus::kBestSoFar);
    EXPECT_EQ(result.method, "local search");
    const double expected = testing::enumerate_marginal_map(grid, kCheckerboard).score;
    EXPECT_NEAR(result.best.score, expected, kQueryTolerance) << seed;
    EXPECT_NEAR(sum_of(grid, kCheckerboard, result), expected, kQueryTolerance);
    EXPECT_GE(result.bound, expected);
  }
}

TEST(MarginalMapSolver, EstimatesSumsWhereEvenPartsDoNotFit) {
  for (std::uint32_t seed = 0; seed < 4; ++seed) {
    const FactorGraph graph = testing::random_graph({.variable_count = 7,
                                                     .factor_count = 10,
                                                     .max_cardinality = 3,
                                                     .forbidden = seed % 2 ? .2 : 0,
                                                     .is_feasible = true},
                                                    seed);
    const std::vector<VariableId> query = {1, 4, 6};
    const MarginalMapResult result = solve_query(graph, query, {.memory_bytes = 0});
    EXPECT_EQ(result.status, SolveStatus::kEstimate) << seed;
    EXPECT_TRUE(result.best.found());
    EXPECT_LE(result.best.score, result.bound);
    EXPECT_GE(result.bound, testing::enumerate_marginal_map(graph, query).score - kQueryTolerance);
  }
}

TEST(MarginalMapSolver, BeginsNothingOnceCancelled) {
  const FactorGraph grid = testing::random_grid(3, 4, 2, 1);
  CancelToken cancel;
  cancel.cancel();
  SolveLog log({});
  EXPECT_THROW(
      find_marginal_map(grid, kCheckerboard, {.method = SolveMethod::kSearch}, {.stop = {.cancel = &cancel}}, log),
      CancelledError);
  SolveFacts facts;
  log.finish(facts);
  ASSERT_EQ(facts.phases.size(), 1u);
  EXPECT_EQ(facts.phases[0].name, "first bound");
}

TEST(MarginalMapSolver, KeepsToABudgetOfTwoTransitions) {
  const FactorGraph grid = testing::random_grid(4, 4, 2, 3);
  const fovea::Run two = {.budget = {.transitions = 2}};
  const MarginalMapResult result = solve_query(grid, {0, 5, 10, 15}, two, SolveMethod::kSearch);
  EXPECT_TRUE(result.best.found());
  EXPECT_LE(result.work.transitions, 2);
}

TEST(MarginalMapSolver, ABudgetGivesTheSameAnswerAtAnyNumberOfThreads) {
  const FactorGraph grid = testing::random_grid(3, 4, 3, 3);
  const auto with_threads = [&](int threads) {
    return solve_query(grid, kCheckerboard, {.budget = {.sweeps = 3}, .memory_bytes = kFewBytes, .threads = threads});
  };
  const MarginalMapResult one = with_threads(1), four = with_threads(4);
  EXPECT_EQ(one.best.values, four.best.values);
  EXPECT_EQ(one.work.transitions, four.work.transitions);
}

TEST(MarginalMapSolver, KnowsThatNothingIsPossible) {
  FactorGraph::Builder builder;
  for (int v = 0; v < 3; ++v) builder.add_variable(2);
  const std::vector<double> differ = {kImpossible, 0, 0, kImpossible};
  for (const std::vector<VariableId>& pair : {std::vector<VariableId>{0, 1}, {1, 2}, {0, 2}})
    builder.add_factor(pair, differ);
  const FactorGraph graph = builder.build();
  EXPECT_THROW(solve_query(graph, {0}, {}), InfeasibleError);
}

}  // namespace
}  // namespace fovea::graph
