// SPDX-License-Identifier: Apache-2.0
#include "fovea/graph/format/cost/wcsp.h"

#include <gtest/gtest.h>

#include <cmath>

#include "fovea/base/error.h"
#include "fovea/base/log_math.h"
#include "tests/support/data.h"
#include "tests/support/expect_error.h"
#include "tests/support/random_graphs.h"
#include "tests/support/same_graph.h"
#include "tests/support/text_files.h"

namespace fovea::graph {
namespace {

ModelFile read_wcsp(std::string_view text) { return graph::read_wcsp(io::ByteSource::from_memory(text, "m.wcsp")); }

std::string write_wcsp(const ModelFile& model) {
  return testing::written([&](io::OutputFile& output) { write_wcsp(model, output); });
}

double score(std::string_view text, const Assignment& values) { return read_wcsp(text).graph.log_score(values); }

TEST(WcspTest, ReadsTuplesDefaultsAndConstants) {
  const std::string_view text = "tiny 2 3 3 10\n2 3\n2 0 1 7 2\n0 2 1\n1 0 10\n1 1 0 1\n2 12\n0 4 0\n";
  const ModelFile model = read_wcsp(text);
  EXPECT_EQ(model.names.model, "tiny");
  EXPECT_EQ(model.format, "wcsp");
  ASSERT_EQ(model.graph.factor_count(), 3u);
  EXPECT_EQ(model.graph.log_score(Assignment{0, 0}), -11);
  EXPECT_EQ(model.graph.log_score(Assignment{0, 2}), -kInfinity);  // 12 is above the bound
  EXPECT_EQ(model.graph.log_score(Assignment{1, 0}), -kInfinity);  // 10 is the bound
  EXPECT_EQ(model.graph.log_score(Assignment{1, 1}), -11);
  EXPECT_EQ(model.graph.table(0)[2], -1);
}

/// Costs 3 + 3 reach a bound of 5 and of 6; no assignment reaches 7, which then is not a bound.
TEST(WcspTest, ABoundThatSumsMayReachIsKept) {
  const auto with_bound = [](int bound) {
    return read_wcsp("sum 2 2 2 " + std::to_string(bound) + "\n2 2\n1 0 3 1\n0 0\n1 1 3 1\n0 1\n");
  };
  EXPECT_EQ(with_bound(5).cost_bound, 5);
  EXPECT_EQ(with_bound(6).cost_bound, 6);
  EXPECT_EQ(with_bound(7).cost_bound, kInfinity);
  EXPECT_EQ(read_wcsp(write_wcsp(with_bound(5))).cost_bound, 5);
  EXPECT_EQ(with_bound(3).cost_bound, kInfinity) << "both 3s are forbidden by their own functions";
}

TEST(WcspTest, ReadsSharedFunctions) {
  const ModelFile model = read_wcsp("alldiff 3 2 3 1\n2 2 2\n-2 0 1 0 2\n0 0 1\n1 1 1\n2 0 2 0 -1\n2 1 2 0 -1\n");
  EXPECT_EQ(model.graph.table_count(), 1u);
  EXPECT_EQ(model.graph.log_score(Assignment{0, 1, 0}), -kInfinity);
  for (FactorId f = 0; f < 3; ++f) EXPECT_EQ(model.graph.table(f)[1], 0);
}

TEST(WcspTest, ReadsIntervalsAndArithmetic) {
  const auto cost = [](const std::string& function, int x, int y) {
    return -score("m 2 5 1 100 -5 5 2 0 1 -1 " + function, {Value(x), Value(y)});
  };
  for (int x = 0; x < 5; ++x)
    for (int y = 0; y < 5; ++y) {
      const auto soft = [](int violation, int limit) {
        return violation <= limit ? std::max(violation, 0) : kInfinity;
      };
      EXPECT_EQ(cost(">= 1 2", x, y), soft(y + 1 - x, 2));
      EXPECT_EQ(cost("> 1 2", x, y), soft(y + 2 - x, 2));
      EXPECT_EQ(cost("<= 1 2", x, y), soft(x - 1 - y, 2));
      EXPECT_EQ(cost("< 1 2", x, y), soft(x - y, 2));
      EXPECT_EQ(cost("= -1 2", x, y), soft(std::abs(y - 1 - x), 2));
      const bool is_disjoint = x >= y + 2 || y >= x + 1;
      EXPECT_EQ(cost("disj 1 2 9", x, y), is_disjoint ? 0 : 9);
      EXPECT_EQ(cost("disj 1 2 100", x, y), is_disjoint ? 0 : kInfinity);
      const bool forbidden = x > 3 || y > 4 || (x < 3 && y < 4 && !is_disjoint);
      EXPECT_EQ(cost("sdisj 1 2 3 4 7 8", x, y), forbidden ? kInfinity : (x == 3 ? 7 : 0) + (y == 4 ? 8 : 0));
    }
}

TEST(WcspTest, ModelsOfCostsSurvive) {
  for (std::uint32_t seed = 0; seed < 30; ++seed) {
    const FactorGraph drawn = testing::random_graph(
        {.min_cardinality = 1, .min_arity = 0, .scale = 5, .forbidden = 0.2, .shared_tables = 0.5}, seed);
    FactorGraph::Builder builder;
    for (const std::uint32_t cardinality : drawn.cardinalities()) builder.add_variable(cardinality);
    for (TableId t = 0; t < drawn.table_count(); ++t) {
      std::vector<double> costs(drawn.shared_table(t).begin(), drawn.shared_table(t).end());
      for (double& cost : costs) cost = -std::floor(std::abs(cost));
      builder.add_table(costs);
    }
    for (FactorId f = 0; f < drawn.factor_count(); ++f) builder.add_factor(drawn.scope(f), drawn.table_id(f));
    ModelFile model{.graph = builder.build()};
    model.names.model = "a name";
    const ModelFile again = read_wcsp(write_wcsp(model));
    EXPECT_EQ(again.names.model, "a_name");
    testing::expect_same_graph(again.graph, model.graph);
    EXPECT_EQ(write_wcsp(read_wcsp(write_wcsp(again))), write_wcsp(again));
  }
}

TEST(WcspTest, ANameThatLooksLikePackedDataGetsAPrefix) {
  FactorGraph::Builder builder;
  builder.add_variable(2);
  ModelFile model{.graph = builder.build()};
  model.names.model = "(\xb5/\xfd and more";
  EXPECT_EQ(read_wcsp(write_wcsp(model)).names.model, "_(\xb5/\xfd_and_more");
}

TEST(WcspTest, WritesOnlyWholeCosts) {
  for (const double score : {0.5, -0.5, 1.0, -1e16}) {
    FactorGraph::Builder builder;
    builder.add_factor({}, std::vector<double>{score});
    EXPECT_THAT(message_of<InputError>([&] { write_wcsp({.graph = builder.build()}); }),
                AllOf(HasSubstr("whole costs"), HasSubstr("Write .cfn")));
  }
  FactorGraph::Builder builder;
  const TableId table = builder.add_table(std::vector<double>{-9007199254740992.0});
  for (int i = 0; i < 600; ++i) builder.add_factor({}, table);
  EXPECT_THAT(message_of<InputError>([&] { write_wcsp({.graph = builder.build()}); }), HasSubstr("beyond 64 bits"));
}

TEST(WcspTest, SaysWhereAndWhatIsWrong) {
  const auto refusal = [](const char* text) {
    const std::string message = message_of<InputError>([&] { read_wcsp(text); });
    EXPECT_THAT(message, HasSubstr("m.wcsp"));
    return message;
  };
  testing::expect_messages(
      refusal, {{"", "the name of the problem"},
                {"m\nx 3 1 9", "m.wcsp:2: the number of variables is 'x'"},
                {"m 1 2\n-1 9\n2", "m.wcsp:2: the number of cost functions is '-1'"},
                {"m 1 2 1 1e9", "the upper bound is '1e9'"},
                {"m 1 2 0 9\n0", "m.wcsp:2: a domain without values"},
                {"m 1 2 0 9\n70000", "the size of a domain is '70000'"},
                {"m 1 2 1 9\n2\n99999", "m.wcsp:3: the number of variables of a cost function is '99999'"},
                {"m 1 2 1 9\n2\n1 1", "m.wcsp:3: a variable of a cost function is '1'"},
                {"m 0 0 1 9\n1 0", "the model has none"},
                {"m 2 2 1 9\n2 2\n2 1 1", "names variable 1 twice"},
                {"m 1 2 1 9\n2\n1 0 -3 0", "a default cost is '-3'"},
                {"m 1 2 1 9\n2\n1 0 0.5 0", "a default cost is '0.5'"},
                {"m 1 2 1 9\n2\n1 0 0 x", "a number of tuples is 'x'"},
                {"m 1 2 1 9\n2\n1 0 0 1\n2 4", "m.wcsp:4: a value of a tuple is '2'"},
                {"m 1 2 1 9\n2\n1 0 0 1\n1 -4", "m.wcsp:4: the cost of a tuple is '-4'"},
                {"m 1 2 1 9\n2\n1 0 0 2\n1 4", "the file ends"},
                {"m 1 2 1 9\n2\n1 0 0 2\n1 4 1 4", "two costs for the same values"},
                {"m 0 0 1 9\n0 3 1 4", "a constant has a default cost and no tuples"},
                {"m 1 2 1 9\n2\n1 0 0 -1", "shared cost function 1 is not defined"},
                {"m 2 3 2 9\n2 3\n-1 0 0 0\n1 1 0 -1", "variables with other numbers of values"},
                {"m 3 2 1 9\n2 2 2\n3 0 1 2 -1 wcsp 1 2", "the cost function 'wcsp' of 3 variables is not supported"},
                {"m 2 2 1 9\n2 2\n2 0 1 -1 >= 1 x", "a parameter of a cost function is 'x'"},
                {"m 3 65535 1 9\n65535 65535 9\n2 0 1 0 0", "67108864 in all"},
                {"m 2 65535 1 9\n65535 65535\n2 0 1 -1 = 0 0", "67108864 in all"},
                {"m 1 2 0 9\n2\n1 0", "m.wcsp:3: '1' after the last cost function"}});
}

TEST(WcspTest, RealModelsSurvive) {
  FOVEA_DATA_OR_SKIP(path, "toulbar2_examples/scen06.wcsp.xz");
  const ModelFile model = graph::read_wcsp(io::ByteSource(path));
  EXPECT_EQ(model.graph.variable_count(), 100u);
  EXPECT_EQ(model.graph.factor_count(), 1222u);
  testing::expect_same_graph(read_wcsp(write_wcsp(model)).graph, model.graph);
}

}  // namespace
}  // namespace fovea::graph
