// SPDX-License-Identifier: Apache-2.0
#include "fovea/graph/format/uai.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>

#include "fovea/base/log_math.h"
#include "tests/support/data.h"
#include "tests/support/expect_error.h"
#include "tests/support/random_graphs.h"
#include "tests/support/same_graph.h"
#include "tests/support/text_files.h"

namespace fovea::graph {
namespace {

using testing::expect_same_graph;

constexpr std::string_view kSmall =
    "MARKOV\n"
    "2\n"
    "2 3\n"
    "3\n"
    "1 0\n"
    "2 1 0\n"
    "0\n"
    "2\n 0.25 0.75\n"
    "6\n 1 0 2 3 4 1e-400\n"
    "1\n 7\n";

ModelFile read_uai(std::string_view text) { return graph::read_uai(io::ByteSource::from_memory(text, "memory")); }

std::string write_uai(const ModelFile& model) {
  return testing::written([&](io::OutputFile& output) { write_uai(model, output); });
}

/// The message about kSmall with the first `good` replaced by `bad`.
std::string uai_refusal(std::string_view good, std::string_view bad) {
  return message_of<InputError>([&] { read_uai(testing::with_replaced(kSmall, good, bad)); });
}

TEST(UaiTest, ReadsAModel) {
  const ModelFile model = read_uai(kSmall);
  EXPECT_EQ(model.format, "uai");
  EXPECT_FALSE(model.is_bayesian);
  FactorGraph::Builder builder;
  for (const std::size_t cardinality : {2, 3}) builder.add_variable(cardinality);
  builder.add_factor(std::vector<VariableId>{0}, std::vector<double>{std::log(0.25), std::log(0.75)});
  builder.add_factor(std::vector<VariableId>{1, 0},
                     std::vector<double>{0, -kInfinity, std::log(2), std::log(3), std::log(4), -400 * std::log(10)});
  builder.add_factor(std::vector<VariableId>{}, std::vector<double>{std::log(7)});
  expect_same_graph(model.graph, builder.build(), 1e-15);
}

TEST(UaiTest, ReadsEmptyModels) {
  EXPECT_EQ(read_uai("BAYES 0 0").graph.variable_count(), 0u);
  EXPECT_TRUE(read_uai("BAYES 0 0").is_bayesian);
  EXPECT_EQ(read_uai("MARKOV 1 65535 0").graph.cardinality(0), 65535u);
}

TEST(UaiTest, SharesEqualTables) {
  const ModelFile model = read_uai("MARKOV 2 2 2 3 1 0 1 1 1 0 2 1 2 2 2 1 2 1 2");
  EXPECT_EQ(model.graph.table_count(), 2u);
  EXPECT_EQ(model.graph.table_id(0), model.graph.table_id(2));
}

TEST(UaiTest, RefusesOneCorruptionAtATime) {
  EXPECT_THAT(uai_refusal("MARKOV", "MARKOW"), AllOf(StartsWith("memory:1: "), HasSubstr("'MARKOW'")));
  EXPECT_THAT(uai_refusal("2 3", "2 0"),
              AllOf(StartsWith("memory:3: "), HasSubstr("cardinality"), HasSubstr("1 to 65535")));
  EXPECT_THAT(uai_refusal("2 3", "2 65536"), HasSubstr("'65536'"));
  EXPECT_THAT(uai_refusal("1 0\n", "1 2\n"), AllOf(StartsWith("memory:5: "), HasSubstr("'2'"), HasSubstr("0 to 1")));
  EXPECT_THAT(uai_refusal("2 1 0", "2 1 1"),
              AllOf(StartsWith("memory:6: "), HasSubstr("factor 1 names variable 1 twice")));
  EXPECT_THAT(uai_refusal("2\n 0.25", "3\n 0.25"),
              AllOf(StartsWith("memory:8: "), HasSubstr("factor 0 announces 3"), HasSubstr("2 joint values")));
  EXPECT_THAT(uai_refusal("0.25 ", ""), AllOf(StartsWith("memory:11: "), HasSubstr("factor 1 announces 1")));
  EXPECT_THAT(uai_refusal("4 1e-400", "4 1e-400 5"),
              AllOf(StartsWith("memory:11: "), HasSubstr("factor 2 announces 5")));
  for (const char* bad : {"-2", "nan", "inf", "x", "1e"})
    EXPECT_THAT(uai_refusal("2 3 4", std::string(bad) + " 3 4"),
                AllOf(StartsWith("memory:11: "), HasSubstr("entry 2 of the table of factor 1"),
                      HasSubstr("'" + std::string(bad) + "'"), HasSubstr("not logarithms")));
  EXPECT_THAT(uai_refusal(" 7\n", " 7\n\n8\n"), AllOf(StartsWith("memory:15: "), HasSubstr("'8' after the table")));
  EXPECT_THAT(uai_refusal(" 7\n", ""), HasSubstr("the file ends after 0 entries of the table of factor 2"));
  EXPECT_THAT(uai_refusal("3\n1 0", "5000000000\n1 0"), HasSubstr("number of factors"));
}

TEST(UaiTest, RefusesEveryPrefix) {
  const std::string_view whole = kSmall.substr(0, kSmall.size() - 3);
  for (std::size_t length = 0; length <= whole.size(); ++length)
    EXPECT_THROW(read_uai(whole.substr(0, length)), InputError) << length;
}

TEST(UaiTest, HugeAnnouncementsTakeNoMemory) {
  EXPECT_THAT(message_of<InputError>([] { read_uai("MARKOV 1000000000 2 2 2"); }), HasSubstr("the file ends"));
  EXPECT_THAT(message_of<InputError>([] { read_uai("MARKOV 1 2 1000000000 1 0"); }), HasSubstr("the file ends"));
  EXPECT_THAT(message_of<InputError>([] { read_uai("MARKOV 9000000000 2"); }), HasSubstr("2147483648"));
  std::string text = "MARKOV 33 " + std::string(66, '2') + " 1 33";
  for (std::size_t i = 10; i < 76; i += 2) text[i + 1] = ' ';
  for (int v = 0; v < 33; ++v) text += " " + std::to_string(v);
  EXPECT_THAT(message_of<InputError>([&] { read_uai(text + " 8589934592 1 1"); }), HasSubstr("2^32"));
}

RC_GTEST_PROP(UaiProperty, ModelsSurvive, (std::uint32_t seed)) {
  const testing::RandomGraphShape shape{
      .min_cardinality = 1, .min_arity = 0, .scale = 30, .forbidden = 0.2, .shared_tables = 0.3};
  const ModelFile model{.graph = testing::random_graph(shape, seed), .is_bayesian = seed % 2 == 0};
  const ModelFile again = read_uai(write_uai(model));
  expect_same_graph(again.graph, model.graph, 1e-15);
  RC_ASSERT(again.is_bayesian == model.is_bayesian);
  RC_ASSERT(write_uai(again) == write_uai(read_uai(write_uai(again))));
}

TEST(UaiTest, ModelsWithoutFactorsSurvive) { EXPECT_EQ(write_uai(read_uai("MARKOV 2 2 3 0")), "MARKOV\n2\n2 3\n0\n"); }

TEST(UaiTest, ScoresBeyondDoublesSurvive) {
  FactorGraph::Builder builder;
  builder.add_variable(3);
  const std::vector<VariableId> scope{0};
  builder.add_factor(scope, std::vector<double>{-2000, -2001, -kInfinity});
  builder.add_factor(scope, std::vector<double>{900, 0, -900});
  builder.add_factor(scope, std::vector<double>{-kInfinity, -kInfinity, -kInfinity});
  builder.add_factor({}, std::vector<double>{-5000});
  const ModelFile model{.graph = builder.build()};
  const FactorGraph again = read_uai(write_uai(model)).graph;
  for (FactorId f = 0; f < again.factor_count(); ++f)
    for (const double score : again.table(f)) EXPECT_LE(score, 601) << f;
  for (Value y = 0; y < 3; ++y) {
    double actual = 0, expected = 0;
    for (FactorId f = 0; f < again.factor_count(); ++f)
      if (f != 2) actual += again.factor_score(f, {&y, 1});
    for (FactorId f = 0; f < 4; ++f)
      if (f != 2) expected += model.graph.factor_score(f, {&y, 1});
    EXPECT_TRUE(testing::same_score(actual, expected, 1e-14)) << actual << " " << expected;
  }
}

TEST(UaiTest, RefusesToWriteScoresOutOfReach) {
  FactorGraph::Builder builder;
  builder.add_factor({}, std::vector<double>{-1e9});
  EXPECT_THAT(message_of<InputError>([&] { write_uai({.graph = builder.build()}); }), HasSubstr("e^-1e+09"));
}

TEST(UaiTest, RealModelSurvives) {
  FOVEA_DATA_OR_SKIP(path, "generated/grid20_k3.uai.xz");
  const ModelFile model = graph::read_uai(io::ByteSource(path));
  EXPECT_EQ(model.graph.variable_count(), 400u);
  expect_same_graph(read_uai(write_uai(model)).graph, model.graph);
}

}  // namespace
}  // namespace fovea::graph
