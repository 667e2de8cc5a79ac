// SPDX-License-Identifier: Apache-2.0
#include "fovea/graph/sums/query_sums.h"

#include <gtest/gtest.h>

#include <cmath>

#include "fovea/base/error.h"
#include "tests/support/enumerate_graph.h"
#include "tests/support/random_graphs.h"

namespace fovea::graph {
namespace {

constexpr std::uint64_t kAmple = 1 << 20;

double total(const QuerySums& sums, const Assignment& values) {
  double score = sums.between().log_score(values);
  for (std::size_t p = 0; p < sums.part_count(); ++p) score += sums.log_sum(p, values);
  return score;
}

/// Binary variables, each with a factor of its own and one with every other, yet independent of each other: value 1 of
/// variable v scores .3 v - 1 in all.
FactorGraph complete_graph(VariableId variables) {
  FactorGraph::Builder builder;
  for (VariableId v = 0; v < variables; ++v) builder.add_variable(2);
  for (VariableId v = 0; v < variables; ++v) {
    builder.add_factor(std::vector<VariableId>{v}, std::vector<double>{0, .2 * v - 1});
    for (VariableId u = 0; u < v; ++u)
      builder.add_factor(std::vector<VariableId>{u, v}, std::vector<double>{0, .1, 0, .1});
  }
  return builder.build();
}

TEST(QuerySums, AddUpToTheSumOverAllOtherVariables) {
  for (std::uint32_t seed = 0; seed < 30; ++seed) {
    const FactorGraph graph = testing::random_graph(
        {.variable_count = 7, .factor_count = 9, .max_cardinality = 3, .min_arity = 0, .forbidden = seed % 2 ? .3 : 0},
        seed);
    const std::vector<VariableId> query = {6, seed % 6, (seed + 3) % 6};
    const QuerySums sums(graph, query, kAmple, Random(seed));
    EXPECT_TRUE(sums.is_exact());
    Assignment values(7, 0);
    for (std::size_t k = 0; k < graph.cardinality(6); ++k) {
      values[6] = static_cast<Value>(k);
      const double expected = testing::enumerate_log_sum(graph, query, Assignment{values[6], 0, 0});
      if (std::isinf(expected)) {
        EXPECT_EQ(total(sums, values), expected);
      } else {
        EXPECT_NEAR(total(sums, values), expected, 1e-10) << seed;
      }
    }
  }
}

TEST(QuerySums, PartsAreWhatTheQueryCutsAModelInto) {
  const FactorGraph chain = testing::random_grid(1, 7, 2, 1);
  const std::vector<VariableId> query = {2, 3};
  const QuerySums sums(chain, query, kAmple, Random(1));
  ASSERT_EQ(sums.part_count(), 2);
  EXPECT_EQ(std::vector<std::uint32_t>(sums.parts_of(2).begin(), sums.parts_of(2).end()),
            std::vector<std::uint32_t>{0});
  EXPECT_EQ(std::vector<VariableId>(sums.query_of(1).begin(), sums.query_of(1).end()), std::vector<VariableId>{3});
}

TEST(QuerySums, EstimatesWhereTablesDoNotFit) {
  const FactorGraph graph = complete_graph(45);
  const std::vector<VariableId> query = {0, 44};
  const Assignment values(45, 0);
  double expected = 0;
  for (VariableId v = 1; v < 44; ++v) expected += std::log1p(std::exp(.3 * v - 1));

  const QuerySums by_messages(graph, query, kAmple, Random(1));
  EXPECT_FALSE(by_messages.is_exact());
  EXPECT_NEAR(total(by_messages, values), expected, 1e-6) << "messages are exact where variables are independent";
  CancelToken cancel;
  cancel.cancel();
  EXPECT_THROW(by_messages.log_sum(0, values, {.cancel = &cancel}), LimitError);

  const QuerySums by_factors(graph, query, 0, Random(1));
  EXPECT_FALSE(by_factors.is_exact());
  EXPECT_NEAR(total(by_factors, values), expected, .2 * expected);
  EXPECT_GT(std::abs(total(by_factors, values) - expected), 1e-3) << "factors are not independent";
}

}  // namespace
}  // namespace fovea::graph
