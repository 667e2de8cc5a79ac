// SPDX-License-Identifier: Apache-2.0
#include "fovea/graph/model/reduction.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <stdexcept>

#include "fovea/base/error.h"
#include "tests/support/enumerate_graph.h"
#include "tests/support/expect_error.h"
#include "tests/support/random_graphs.h"

namespace fovea::graph {
namespace {

using ::testing::ElementsAre;

constexpr testing::RandomGraphShape kHard = {.variable_count = 6,
                                             .factor_count = 9,
                                             .min_cardinality = 1,
                                             .max_cardinality = 4,
                                             .min_arity = 0,
                                             .forbidden = .5,
                                             .is_feasible = true};

/// Log of the sum over what agrees with the evidence.
double log_sum(const FactorGraph& graph, const Evidence& evidence) {
  std::vector<VariableId> variables;
  Assignment values;
  for (const Observation& observation : evidence) {
    variables.push_back(observation.variable);
    values.push_back(observation.value);
  }
  return testing::enumerate_log_sum(graph, variables, values);
}

void expect_lifted_scores_agree(const FactorGraph& graph, const Reduction& reduction, const Evidence& evidence) {
  testing::for_each_assignment(*reduction.graph, [&](const Assignment& y, double score) {
    const Assignment whole = reduction.lift(y);
    for (const Observation& observation : evidence) EXPECT_EQ(whole[observation.variable], observation.value);
    if (std::isinf(score)) EXPECT_EQ(graph.log_score(whole), score);
    else EXPECT_NEAR(graph.log_score(whole), score, 1e-12);
    EXPECT_EQ(reduction.restrict(whole), y);
  });
  const double expected = log_sum(graph, evidence);
  const double found = testing::enumerate_graph(*reduction.graph).log_z;
  if (std::isinf(expected)) EXPECT_EQ(found, expected);
  else EXPECT_NEAR(found, expected, 1e-10);
}

TEST(Reduction, keeps_every_assignment_of_positive_probability) {
  std::size_t removed = 0;
  for (std::uint32_t seed = 0; seed < 100; ++seed) {
    const FactorGraph graph = testing::random_graph(kHard, seed);
    const Reduction reduction = reduce(graph);
    expect_lifted_scores_agree(graph, reduction, {});
    for (VariableId v = 0; v < reduction.graph->variable_count(); ++v) {
      EXPECT_GE(reduction.graph->cardinality(v), 2u);
      removed += graph.cardinality(reduction.variables[v]) - reduction.graph->cardinality(v);
    }
  }
  EXPECT_GT(removed, 0u);
}

TEST(Reduction, puts_evidence_in) {
  for (std::uint32_t seed = 0; seed < 50; ++seed) {
    const FactorGraph graph = testing::random_graph(kHard, seed);
    const Assignment best = testing::enumerate_graph(graph).best.values;
    const Evidence evidence = {{2, best[2]}, {5, best[5]}, {2, best[2]}};
    expect_lifted_scores_agree(graph, reduce(graph, evidence), evidence);
    expect_lifted_scores_agree(graph, condition(graph, evidence), evidence);
  }
}

TEST(Reduction, condition_infers_nothing_else) {
  FactorGraph::Builder builder;
  for (int v = 0; v < 3; ++v) builder.add_variable(2);
  const std::vector<double> equal = {0, -INFINITY, -INFINITY, 0};
  builder.add_factor(std::vector<VariableId>{0, 1}, equal);
  builder.add_factor(std::vector<VariableId>{1, 2}, equal);
  const FactorGraph graph = builder.build();
  const Evidence evidence = {{0, 1}};
  EXPECT_EQ(reduce(graph, evidence).graph->variable_count(), 0u);
  EXPECT_EQ(reduce(graph, evidence).lift({}), (Assignment{1, 1, 1}));
  const Reduction conditioned = condition(graph, evidence);
  EXPECT_EQ(conditioned.variables, (std::vector<VariableId>{1, 2}));
  for (const VariableId v : {0, 1}) EXPECT_THAT(conditioned.values[v], ElementsAre(0, 1));
}

TEST(Reduction, shared_tables_stay_shared) {
  FactorGraph::Builder builder;
  for (int v = 0; v < 3; ++v) builder.add_variable(2);
  const TableId table = builder.add_table(std::vector<double>{0, 1, 2, 3});
  for (VariableId v = 0; v < 2; ++v) builder.add_factor(std::vector<VariableId>{v, v + 1}, table);
  const FactorGraph graph = builder.build();
  EXPECT_EQ(reduce(graph, Evidence{{0, 1}}).graph->table_count(), 2u);  // one of them is cut
}

TEST(Reduction, a_model_of_which_all_is_left_is_not_copied) {
  FactorGraph::Builder builder;
  for (int v = 0; v < 3; ++v) builder.add_variable(2 + v);
  builder.add_factor(std::vector<VariableId>{0, 1}, std::vector<double>{0, 1, 2, 3, 4, 5});
  const FactorGraph graph = builder.build();
  for (const Reduction& reduction : {reduce(graph), condition(graph, {})}) {
    EXPECT_EQ(reduction.graph.get(), &graph);
    EXPECT_EQ(reduction.lift(Assignment{1, 2, 3}), (Assignment{1, 2, 3}));
    EXPECT_EQ(reduction.restrict(Assignment{1, 2, 3}), (Assignment{1, 2, 3}));
    EXPECT_THAT(reduction.values[2], ElementsAre(0, 1, 2, 3));
  }
  EXPECT_NE(reduce(graph, Evidence{{2, 1}}).graph.get(), &graph);
}

TEST(Reduction, values_that_were_ruled_out_become_the_first_left) {
  FactorGraph::Builder builder;
  builder.add_variable(4);
  builder.add_factor(std::vector<VariableId>{0}, std::vector<double>{-INFINITY, 1, -INFINITY, 2});
  const FactorGraph graph = builder.build();
  const Reduction reduction = reduce(graph);
  EXPECT_THAT(reduction.values[0], ElementsAre(1, 3));
  EXPECT_EQ(reduction.restrict(Assignment{3}), Assignment{1});
  EXPECT_EQ(reduction.restrict(Assignment{2}), Assignment{0});
  EXPECT_EQ(reduction.restrict(Assignment{0}), Assignment{0});
}

TEST(Reduction, says_what_is_infeasible) {
  FactorGraph::Builder builder;
  for (int v = 0; v < 2; ++v) builder.add_variable(2);
  builder.add_factor(std::vector<VariableId>{0, 1}, std::vector<double>{0, -INFINITY, -INFINITY, 0});
  const FactorGraph graph = builder.build();
  EXPECT_THAT(message_of<InfeasibleError>([&] {
                reduce(graph, Evidence{{0, 0}, {1, 1}});
              }),
              HasSubstr("leave factor 0 no joint value"));
  EXPECT_EQ(testing::enumerate_graph(*condition(graph, Evidence{{0, 0}, {1, 1}}).graph).log_z, -INFINITY);
}

TEST(Reduction, refuses_evidence_that_is_none) {
  FactorGraph::Builder builder;
  builder.add_variable(2);
  const FactorGraph graph = builder.build();
  EXPECT_THAT(message_of<std::invalid_argument>([&] {
                reduce(graph, Evidence{{1, 0}});
              }),
              HasSubstr("evidence on variable 1, but there are 1"));
  EXPECT_THAT(message_of<std::invalid_argument>([&] {
                condition(graph, Evidence{{0, 2}});
              }),
              HasSubstr("evidence 2 on variable 0, whose values are 0 to 1"));
  EXPECT_THAT(message_of<std::invalid_argument>([&] {
                condition(graph, Evidence{{0, 0}, {0, 1}});
              }),
              HasSubstr("observed twice"));
}

}  // namespace
}  // namespace fovea::graph
