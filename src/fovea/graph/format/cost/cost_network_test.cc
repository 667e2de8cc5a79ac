// SPDX-License-Identifier: Apache-2.0
#include "fovea/graph/format/cost/cost_network.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "fovea/base/error.h"
#include "fovea/base/log_math.h"
#include "tests/support/expect_error.h"
#include "tests/support/random_graphs.h"

namespace fovea::graph {
namespace {

TEST(CostNetworkTest, CostsFromTheBoundOnForbid) {
  EXPECT_EQ(log_score_of_cost(2.5, 3), -2.5);
  EXPECT_EQ(log_score_of_cost(3, 3), -kInfinity);
  EXPECT_EQ(log_score_of_cost(kInfinity, 3), -kInfinity);
  EXPECT_FALSE(std::signbit(log_score_of_cost(0, 3)));
}

TEST(CostNetworkTest, SparseTablesHaveTheLastVariableFastest) {
  const std::vector<std::uint32_t> cardinalities = {2, 3};
  SparseTable table(7);
  table.add(joint_index(std::vector<std::uint32_t>{1, 0}, cardinalities), 1);
  table.add(joint_index(std::vector<std::uint32_t>{0, 2}, cardinalities), 2);
  TableLimit limit;
  EXPECT_THAT(table.expand(cardinalities, limit, {}), ElementsAre(7, 7, 2, 1, 7, 7));
  table.add(3, 1);
  EXPECT_THAT(message_of<InputError>([&] { table.expand(cardinalities, limit, {}); }), HasSubstr("two costs"));
}

TEST(CostNetworkTest, LimitCountsWhatIsNotSpelledOut) {
  const std::vector<std::uint32_t> half = {1 << 13, 1 << 12}, whole = {1 << 13, 1 << 13}, huge(8, 65535);
  TableLimit limit;
  EXPECT_EQ(limit.add({}, 0, {}), 1u);
  EXPECT_EQ(limit.add(half, 0, {}), std::size_t{1} << 25);
  EXPECT_EQ(limit.add(whole, whole[0] * whole[1], {}), std::size_t{1} << 26);  // free: the file spells it out
  EXPECT_THAT(message_of<InputError>([&] { limit.add(half, 0, {.file = "m"}); }), HasSubstr("m: a table of 33554432"));
  EXPECT_THAT(message_of<InputError>([&] { limit.add(huge, std::size_t{1} << 40, {}); }), HasSubstr("at least"));
}

TEST(CostNetworkTest, BoundExceedsEveryTotalAndEntry) {
  for (std::uint32_t seed = 0; seed < 20; ++seed) {
    const FactorGraph graph = testing::random_graph({.scale = 3, .forbidden = 0.2}, seed);
    const double bound = upper_bound_of_costs(graph);
    double worst = 0;
    for (FactorId f = 0; f < graph.factor_count(); ++f) {
      double largest = 0;
      for (const double score : graph.table(f))
        if (score > -kInfinity) largest = std::max(largest, -score);
      worst += largest;
    }
    EXPECT_GT(bound, worst);
    EXPECT_LE(bound, worst + 2);
  }
}

TEST(CostNetworkTest, FactorsAreAlikeInTableAndShape) {
  FactorGraph::Builder builder;
  for (const std::size_t cardinality : {2, 3, 2, 3}) builder.add_variable(cardinality);
  const TableId table = builder.add_table(std::vector<double>(6)), other = builder.add_table(std::vector<double>(6));
  using Scope = std::vector<VariableId>;
  builder.add_factor(Scope{0, 1}, table);
  builder.add_factor(Scope{1, 0}, table);  // another shape
  builder.add_factor(Scope{2, 3}, table);
  builder.add_factor(Scope{2, 1}, other);  // another table
  builder.add_factor(Scope{3, 2}, table);
  EXPECT_THAT(first_alike(builder.build()), ElementsAre(0, 1, 0, 3, 1));
}

TEST(CostNetworkTest, MostFrequentEntry) {
  EXPECT_EQ(most_frequent(std::vector<double>{1, 2, 3, 2, 3}), 2);
  EXPECT_EQ(most_frequent(std::vector<double>{1, -kInfinity, -kInfinity}), -kInfinity);
  EXPECT_EQ(most_frequent({}), 0);
}

}  // namespace
}  // namespace fovea::graph
