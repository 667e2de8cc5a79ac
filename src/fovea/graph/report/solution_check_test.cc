// SPDX-License-Identifier: Apache-2.0
#include "fovea/graph/report/solution_check.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "fovea/base/log_math.h"
#include "tests/support/expect_error.h"
#include "tests/support/random_graphs.h"
#include "tests/support/same_graph.h"

namespace fovea::graph {
namespace {

const ModelNames kNames = {.model = "", .variables = {"rain", "wet"}, .values = {{"no", "yes"}, {}}};

/// rain in {no, yes}, wet in {0, 1, 2}; rain and wet=0 exclude each other.
FactorGraph small_graph() {
  FactorGraph::Builder builder;
  builder.add_variable(2);
  builder.add_variable(3);
  builder.add_factor(std::vector<VariableId>{0}, std::vector<double>{-1, -2});
  builder.add_factor(std::vector<VariableId>{0, 1}, std::vector<double>{.1, .2, .3, kImpossible, .5, .6});
  builder.add_factor({}, std::vector<double>{10});
  return builder.build();
}

TEST(SolutionCheckTest, AddsUpTheTables) {
  const FactorGraph graph = small_graph();
  EXPECT_NEAR(check_solution(graph, Assignment{1, 2}).log_score, -2 + .6 + 10, 1e-15);
  EXPECT_NEAR(check_solution(graph, Assignment{0, 1}).log_score, -1 + .2 + 10, 1e-15);
  EXPECT_TRUE(check_solution(graph, Assignment{0, 1}).is_feasible());
}

TEST(SolutionCheckTest, FindsBrokenConstraintsAndContradictions) {
  const FactorGraph graph = small_graph();
  const SolutionCheck broken = check_solution(graph, Assignment{1, 0});
  EXPECT_EQ(broken.log_score, kImpossible);
  EXPECT_EQ(broken.broken_factors, std::vector<FactorId>{1});
  EXPECT_FALSE(broken.is_feasible());
  const Evidence evidence = {{0, 1}, {1, 2}};
  const SolutionCheck contradicting = check_solution(graph, Assignment{1, 1}, evidence);
  EXPECT_EQ(contradicting.contradicted, (Evidence{{1, 2}}));
  EXPECT_FALSE(contradicting.is_feasible());
  EXPECT_NEAR(contradicting.log_score, -2 + .5 + 10, 1e-15);
}

RC_GTEST_PROP(SolutionCheckProperty, AgreesWithTheGraph, (std::uint32_t seed)) {
  const FactorGraph graph =
      testing::random_graph({.min_cardinality = 1, .min_arity = 0, .forbidden = 0.05, .shared_tables = 0.3}, seed);
  Assignment values;
  for (VariableId v = 0; v < graph.variable_count(); ++v)
    values.push_back(static_cast<Value>((seed / (v + 1)) % graph.cardinality(v)));
  RC_ASSERT(testing::same_score(check_solution(graph, values).log_score, graph.log_score(values), 1e-14));
}

TEST(SolutionReportTest, NamesWhatIsBroken) {
  const FactorGraph graph = small_graph();
  const Assignment values = {1, 0};
  const Evidence evidence = {{0, 0}, {1, 0}};
  const SolutionCheck check = check_solution(graph, values, evidence);
  const SolutionReport report{graph, kNames, values, evidence, check};
  EXPECT_THAT(report.text(), AllOf(HasSubstr("feasible: no\nlog score: -inf"), HasSubstr("1 of 2 observations"),
                                   HasSubstr("  rain=yes, but no was observed\n"),
                                   HasSubstr("1 of 3 factors\n  factor 1 at rain=yes wet=0\n")));
  const auto json = nlohmann::json::parse(report.json());
  EXPECT_EQ(json["feasible"], false);
  EXPECT_TRUE(json["log_score"].is_null());
  EXPECT_EQ(json["broken_factors"][0]["values"]["rain"], "yes");
  EXPECT_EQ(json["contradicted"][0]["observed"], "no");
}

TEST(SolutionReportTest, ListsTenAndCountsAll) {
  FactorGraph::Builder builder;
  for (int f = 0; f < 12; ++f) builder.add_factor({}, std::vector<double>{kImpossible});
  const FactorGraph graph = builder.build();
  const SolutionCheck check = check_solution(graph, {});
  const SolutionReport report{graph, {}, {}, {}, check};
  EXPECT_THAT(report.text(), AllOf(HasSubstr("12 of 12"), HasSubstr("factor 9"), Not(HasSubstr("factor 10"))));
  EXPECT_EQ(nlohmann::json::parse(report.json())["broken_factors"].size(), 10u);
}

}  // namespace
}  // namespace fovea::graph
