// SPDX-License-Identifier: Apache-2.0
#include "fovea/graph/model/extended_graph.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "fovea/base/error.h"

namespace fovea::graph {
namespace {

using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

/// Two variables of 2 and 3 values with one factor.
FactorGraph small_graph() {
  FactorGraph::Builder builder;
  const VariableId a = builder.add_variable(2), b = builder.add_variable(3);
  builder.add_factor(std::vector{a, b}, std::vector<double>{0, 1, 2, 3, 4, 5});
  return builder.build();
}

TEST(ExtendedGraph, likelihoods_multiply_the_weights) {
  const FactorGraph graph = small_graph();
  const std::vector<Likelihoods> evidence = {{.variable = 1, .values = {.5, 0, 2}}};
  const FactorGraph extended = with_likelihoods(graph, evidence);
  EXPECT_DOUBLE_EQ(extended.log_score(Assignment{1, 0}), 3 + std::log(.5));
  EXPECT_DOUBLE_EQ(extended.log_score(Assignment{0, 2}), 2 + std::log(2));
  EXPECT_EQ(extended.log_score(Assignment{0, 1}), -INFINITY);
}

TEST(ExtendedGraph, the_joint_variable_numbers_joint_values) {
  const FactorGraph graph = small_graph();
  const FactorGraph extended = with_joint_variable(graph, std::vector<VariableId>{1, 0});
  ASSERT_EQ(extended.cardinality(2), 6u);
  for (Value a = 0; a < 2; ++a)
    for (Value b = 0; b < 3; ++b)
      for (Value joint = 0; joint < 6; ++joint)
        EXPECT_EQ(extended.log_score(Assignment{a, b, joint}),
                  joint == 2 * b + a ? graph.log_score(Assignment{a, b}) : -INFINITY);
  EXPECT_EQ(with_joint_variable(graph, {}).cardinality(2), 1u);
}

TEST(ExtendedGraph, refuses_what_does_not_fit) {
  const FactorGraph graph = small_graph();
  const auto likelihoods = [&](VariableId variable, std::vector<double> values) {
    return [&graph, evidence = std::vector<Likelihoods>{{.variable = variable, .values = std::move(values)}}] {
      with_likelihoods(graph, evidence);
    };
  };
  EXPECT_THAT(likelihoods(2, {1, 1}), ThrowsMessage<UsageError>(HasSubstr("no variable 2")));
  EXPECT_THAT(likelihoods(0, {1}), ThrowsMessage<UsageError>(HasSubstr("1 likelihoods for variable 0")));
  EXPECT_THAT(likelihoods(0, {1, -1}), ThrowsMessage<UsageError>(HasSubstr("-1")));
  EXPECT_THAT(likelihoods(0, {1, NAN}), ThrowsMessage<UsageError>(HasSubstr("nan")));
  EXPECT_THAT(([&] {
                with_joint_variable(graph, std::vector<VariableId>{1, 1});
              }),
              ThrowsMessage<UsageError>(HasSubstr("named twice")));
  FactorGraph::Builder large;
  large.add_variable(100);
  large.add_variable(100);
  EXPECT_THAT(([wide = large.build()] {
                with_joint_variable(wide, std::vector<VariableId>{0, 1});
              }),
              ThrowsMessage<UsageError>(HasSubstr("4096 joint values")));
}

}  // namespace
}  // namespace fovea::graph
