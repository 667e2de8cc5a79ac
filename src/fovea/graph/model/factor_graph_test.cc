// SPDX-License-Identifier: Apache-2.0
#include "fovea/graph/model/factor_graph.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>
#include <set>
#include <stdexcept>

#include "tests/support/enumerate_graph.h"
#include "tests/support/expect_error.h"
#include "tests/support/random_graphs.h"

namespace fovea::graph {
namespace {

static_assert(mcmc::ConditionalModel<FactorGraph>);

constexpr testing::RandomGraphShape kSmall = {.variable_count = 5,
                                              .factor_count = 9,
                                              .min_cardinality = 1,
                                              .max_cardinality = 4,
                                              .min_arity = 0,
                                              .forbidden = .2,
                                              .shared_tables = .5};

FactorGraph::Builder two_variables() {
  FactorGraph::Builder builder;
  builder.add_variable(2);
  builder.add_variable(3);
  return builder;
}

TEST(FactorGraph, last_variable_of_a_scope_varies_fastest) {
  FactorGraph::Builder builder = two_variables();
  const std::vector<double> table = {0, 1, 2, 3, 4, 5};
  builder.add_factor(std::vector<VariableId>{1, 0}, table);
  const FactorGraph graph = builder.build();
  EXPECT_THAT(std::vector(graph.strides(0).begin(), graph.strides(0).end()), ElementsAre(2, 1));
  EXPECT_EQ(graph.log_score(Assignment{1, 2}), 5);
  EXPECT_EQ(graph.log_score(Assignment{0, 2}), 4);
  EXPECT_EQ(graph.log_score(Assignment{1, 0}), 1);
  EXPECT_EQ(graph.max_arity(), 2u);
  EXPECT_EQ(graph.max_cardinality(), 3u);
}

TEST(FactorGraph, a_constant_counts_once) {
  FactorGraph::Builder builder = two_variables();
  builder.add_factor({}, std::vector<double>{2.5});
  const FactorGraph graph = builder.build();
  EXPECT_EQ(graph.log_score(Assignment{0, 0}), 2.5);
  EXPECT_TRUE(graph.incidences(0).empty());
}

TEST(FactorGraph, without_variables) {
  const FactorGraph graph = FactorGraph::Builder().build();
  EXPECT_EQ(graph.variable_count() + graph.factor_count() + graph.table_count() + graph.entry_count(), 0u);
  EXPECT_EQ(graph.log_score({}), 0);
}

TEST(FactorGraph, shared_tables_are_stored_once) {
  FactorGraph::Builder builder = two_variables();
  const TableId table = builder.add_table(std::vector<double>{1, 2});
  builder.add_factor(std::vector<VariableId>{0}, table);
  builder.add_factor(std::vector<VariableId>{0}, table);
  const FactorGraph graph = builder.build();
  EXPECT_EQ(graph.table_count(), 1u);
  EXPECT_EQ(graph.entry_count(), 2u);
  EXPECT_EQ(graph.log_score(Assignment{1, 0}), 4);
}

TEST(FactorGraph, conditionals_differ_from_scores_by_a_constant) {
  for (std::uint32_t seed = 0; seed < 20; ++seed) {
    const FactorGraph graph = testing::random_graph(kSmall, seed);
    testing::for_each_assignment(graph, [&](const Assignment& y, double score) {
      for (VariableId v = 0; v < graph.variable_count(); ++v) {
        std::vector<double> scores(graph.cardinality(v));
        std::vector<float> floats(graph.cardinality(v));
        graph.conditional_scores(v, y, scores);
        graph.conditional_scores(v, y, floats);
        double rest = 0;
        for (FactorId f = 0; f < graph.factor_count(); ++f)
          if (std::ranges::count(graph.scope(f), v) == 0) rest += graph.factor_score(f, y);
        if (std::isinf(score)) EXPECT_EQ(scores[y[v]] + rest, score);
        else EXPECT_NEAR(scores[y[v]] + rest, score, 1e-12);
        for (std::size_t k = 0; k < scores.size(); ++k)
          if (std::isinf(scores[k])) EXPECT_EQ(scores[k], floats[k]);
          else EXPECT_NEAR(scores[k], floats[k], 1e-5);
      }
    });
  }
}

TEST(FactorGraph, adjacency_is_what_the_scopes_say) {
  for (std::uint32_t seed = 0; seed < 20; ++seed) {
    const FactorGraph graph = testing::random_graph(kSmall, seed);
    std::size_t places = 0;
    for (VariableId v = 0; v < graph.variable_count(); ++v) {
      std::set<VariableId> blanket;
      for (const auto& [factor, position] : graph.incidences(v)) {
        EXPECT_EQ(graph.scope(factor)[position], v);
        blanket.insert(graph.scope(factor).begin(), graph.scope(factor).end());
        ++places;
      }
      blanket.erase(v);
      EXPECT_TRUE(std::ranges::equal(graph.markov_blanket(v), blanket));
    }
    std::size_t expected = 0;
    for (FactorId f = 0; f < graph.factor_count(); ++f) expected += graph.scope(f).size();
    EXPECT_EQ(places, expected);
  }
}

TEST(FactorGraphBuilder, leaves_itself_empty) {
  FactorGraph::Builder builder = two_variables();
  builder.build();
  EXPECT_EQ(builder.variable_count(), 0u);
  EXPECT_EQ(builder.build().variable_count(), 0u);
}

TEST(FactorGraphBuilder, goes_on_from_a_graph) {
  FactorGraph::Builder builder;
  const VariableId a = builder.add_variable(2), b = builder.add_variable(3);
  builder.add_factor(std::vector{a, b}, std::vector<double>{0, 1, 2, 3, 4, 5});
  const FactorGraph before = builder.build();
  FactorGraph::Builder more(before);
  const VariableId c = more.add_variable(2);
  more.add_factor(std::vector{c, a}, std::vector<double>{0, 10, 20, 30});
  const FactorGraph after = more.build();
  EXPECT_EQ(before.factor_count(), 1u);
  EXPECT_EQ(after.factor_count(), 2u);
  EXPECT_EQ(after.log_score(Assignment{1, 2, 0}), before.log_score(Assignment{1, 2}) + 10);
  EXPECT_EQ(std::vector<VariableId>(after.markov_blanket(a).begin(), after.markov_blanket(a).end()),
            (std::vector<VariableId>{b, c}));
}

TEST(FactorGraphBuilder, refuses_cardinalities_out_of_range) {
  FactorGraph::Builder builder;
  EXPECT_THAT(message_of<std::invalid_argument>([&] { builder.add_variable(0); }), HasSubstr("a variable of 0 values"));
  EXPECT_THAT(message_of<std::invalid_argument>([&] { builder.add_variable(65536); }), HasSubstr("1 to 65535"));
  EXPECT_EQ(builder.add_variable(65535), 0u);
}

TEST(FactorGraphBuilder, refuses_scores_that_are_no_log_scores) {
  FactorGraph::Builder builder = two_variables();
  EXPECT_THAT(message_of<std::invalid_argument>([&] {
                builder.add_table(std::vector<double>{0, NAN});
              }),
              HasSubstr("entry 1 of a table is not a number"));
  EXPECT_THAT(message_of<std::invalid_argument>([&] { builder.add_table(std::vector<double>{INFINITY}); }),
              HasSubstr("entry 0 of a table is infinite"));
  builder.add_table(std::vector<double>{-INFINITY});
}

TEST(FactorGraphBuilder, refuses_scopes_that_are_none) {
  FactorGraph::Builder builder = two_variables();
  const TableId table = builder.add_table(std::vector<double>{1, 2});
  builder.add_factor(std::vector<VariableId>{0}, table);
  EXPECT_THAT(message_of<std::invalid_argument>([&] { builder.add_factor(std::vector<VariableId>{2}, table); }),
              HasSubstr("factor 1 names variable 2, but there are 2 variables"));
  EXPECT_THAT(message_of<std::invalid_argument>([&] {
                builder.add_factor(std::vector<VariableId>{0, 0}, table);
              }),
              HasSubstr("factor 1 names variable 0 twice"));
  EXPECT_EQ(builder.build().factor_count(), 1u);
}

TEST(FactorGraphBuilder, refuses_tables_that_do_not_fit) {
  FactorGraph::Builder builder = two_variables();
  const TableId table = builder.add_table(std::vector<double>{1, 2});
  EXPECT_THAT(message_of<std::invalid_argument>([&] { builder.add_factor(std::vector<VariableId>{1}, table); }),
              HasSubstr("needs a table of 3 entries, not 2"));
  EXPECT_THAT(message_of<std::invalid_argument>([&] { builder.add_factor(std::vector<VariableId>{0}, table + 1); }),
              HasSubstr("needs a table of 2 entries, not 0"));
  for (int i = 0; i < 3; ++i) builder.add_variable(4096);
  EXPECT_THAT(message_of<std::invalid_argument>([&] {
                builder.add_factor(std::vector<VariableId>{2, 3, 4}, table);
              }),
              HasSubstr("more than 2^32 entries"));
}

}  // namespace
}  // namespace fovea::graph
