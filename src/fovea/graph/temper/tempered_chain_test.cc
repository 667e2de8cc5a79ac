// SPDX-License-Identifier: Apache-2.0
#include "fovea/graph/temper/tempered_chain.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "fovea/base/error.h"
#include "fovea/base/log_math.h"
#include "fovea/graph/colour/target_chain.h"
#include "tests/support/enumerate_graph.h"
#include "tests/support/expect_error.h"
#include "tests/support/random_graphs.h"
#include "tests/support/statistics.h"

namespace fovea::graph {
namespace {

static_assert(mcmc::InvariantChain<TemperedChain>);

/// One draw of every chain is kept, after enough sweeps to forget the start: independent draws.
std::vector<std::uint64_t> counts_of_last_draws(const FactorGraph& graph, std::size_t first_variable_values) {
  const SoftTables tables = SoftTables::build(graph, 3).value();  // soft enough to be broken often
  const Assignment start = testing::enumerate_graph(graph).best.values;
  std::vector<std::uint64_t> counts(first_variable_values);
  for (std::size_t c = 0; c < 1000; ++c) {
    TemperedChain chain(tables, {1, .6, .3}, start, Random(c));
    EXPECT_TRUE(chain.sweep(30));
    EXPECT_GT(graph.log_score(chain.values()), -std::numeric_limits<double>::infinity());
    ++counts[chain.values()[0]];
  }
  return counts;
}

TEST(TemperedChain, DrawsFromTheModelAndBreaksNoConstraint) {
  const FactorGraph graph =
      testing::random_graph({.variable_count = 4, .factor_count = 6, .forbidden = .2, .is_feasible = true}, 2);
  const std::vector<double> expected = testing::enumerate_graph(graph).marginals[0];
  EXPECT_TRUE(testing::counts_follow(counts_of_last_draws(graph, expected.size()), expected));
}

TEST(TemperedChain, CountsTradesOfEveryPair) {
  const FactorGraph graph = testing::random_graph({.variable_count = 4, .factor_count = 6}, 1);
  const SoftTables tables = SoftTables::build(graph, 100).value();
  const TargetChain chain = [&] {
    TargetChain made(TemperedChain(tables, {1, .99, .98}, Assignment(4), Random(1)));
    EXPECT_TRUE(made.sweep(100, {}));
    return made;
  }();
  ASSERT_EQ(chain.trades().size(), 2u);
  for (const ParallelTempering::Trades& pair : chain.trades()) {
    EXPECT_EQ(pair.offered, 50u);
    EXPECT_GT(pair.accepted, 25u);  // temperatures that hardly differ
    EXPECT_LE(pair.accepted, 50u);
  }
}

TEST(TemperedChain, StopsBetweenVisits) {
  CancelToken cancel;
  cancel.cancel();
  const FactorGraph graph = testing::random_graph({.variable_count = 4, .factor_count = 6}, 1);
  const SoftTables tables = SoftTables::build(graph, 100).value();
  TemperedChain chain(tables, {1, .5}, Assignment(4), Random(1));
  EXPECT_FALSE(chain.sweep(1, 1, {.cancel = &cancel}));
  EXPECT_EQ(chain.values(), Assignment(4));
}

/// Constraints that cost almost nothing to break.
TEST(TemperedChain, SaysWhenItCannotKeepTheConstraints) {
  FactorGraph::Builder builder;
  for (int v = 0; v < 60; ++v) builder.add_variable(2);
  const TableId equal = builder.add_table(std::vector<double>{0, kImpossible, kImpossible, 0});
  for (VariableId v = 0; v + 1 < 60; ++v) builder.add_factor(std::vector<VariableId>{v, v + 1}, equal);
  const FactorGraph graph = builder.build();
  const SoftTables tables = SoftTables::build(graph, .01).value();
  TemperedChain chain(tables, {1, .5}, Assignment(60), Random(1));
  EXPECT_THAT(testing::message_of<LimitError>([&] { chain.sweep(); }), ::testing::HasSubstr("one temperature"));
}

}  // namespace
}  // namespace fovea::graph
