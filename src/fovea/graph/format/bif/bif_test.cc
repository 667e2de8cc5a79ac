// SPDX-License-Identifier: Apache-2.0
#include "fovea/graph/format/bif/bif.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "tests/support/data.h"
#include "tests/support/expect_error.h"
#include "tests/support/random_graphs.h"
#include "tests/support/same_graph.h"
#include "tests/support/text_files.h"

namespace fovea::graph {
namespace {

using testing::expect_same_graph;

constexpr std::string_view kSmallNetwork =
    "// a network\n"
    "network weather {\n"
    "  property author \"me; myself\" ;\n"
    "}\n"
    "variable Rain { type discrete [ 2 ] { yes, no }; }\n"
    "variable \"Lawn state\" { /* two */ type discrete[3]{ \"very wet\" <5 0-3_days }; property x; }\n"
    "variable Grass { type discrete [ 2 ] { a, b }; }\n"
    "probability ( Rain ) { table 0.2, 0.8; }\n"
    "probability ( \"Lawn state\" | Rain ) {\n"
    "  (no) 0.25, 0.25, 0.5;\n"
    "  (yes) 1, 0, 0;\n"
    "}\n"
    "probability ( Grass | \"Lawn state\", Rain ) {\n"
    "  default 0.5 0.5;\n"
    "  (<5, no) 0.1, 0.9;\n"
    "}\n";

ModelFile read_bif(std::string_view text) { return graph::read_bif(io::ByteSource::from_memory(text, "memory")); }

std::string write_bif(const ModelFile& model) {
  return testing::written([&](io::OutputFile& output) { write_bif(model, output); });
}

/// The message about kSmallNetwork with the first `good` replaced by `bad`.
std::string bif_refusal(std::string_view good, std::string_view bad) {
  return message_of<InputError>([&] { read_bif(testing::with_replaced(kSmallNetwork, good, bad)); });
}

void expect_probabilities(const FactorGraph& graph, FactorId f, const std::vector<double>& expected) {
  ASSERT_EQ(graph.table(f).size(), expected.size());
  for (std::size_t i = 0; i < expected.size(); ++i) EXPECT_NEAR(std::exp(graph.table(f)[i]), expected[i], 1e-15) << i;
}

TEST(BifTest, ReadsANetwork) {
  const ModelFile model = read_bif(kSmallNetwork);
  EXPECT_EQ(model.format, "bif");
  EXPECT_TRUE(model.is_bayesian);
  EXPECT_EQ(model.names.model, "weather");
  EXPECT_EQ(model.names.variables, (std::vector<std::string>{"Rain", "Lawn state", "Grass"}));
  EXPECT_EQ(model.names.values[1], (std::vector<std::string>{"very wet", "<5", "0-3_days"}));
  ASSERT_EQ(model.graph.factor_count(), 3u);
  EXPECT_TRUE(std::ranges::equal(model.graph.scope(1), std::vector<VariableId>{0, 1}));
  EXPECT_TRUE(std::ranges::equal(model.graph.scope(2), std::vector<VariableId>{1, 0, 2}));
  expect_probabilities(model.graph, 1, {1, 0, 0, .25, .25, .5});
  expect_probabilities(model.graph, 2, {.5, .5, .5, .5, .5, .5, .1, .9, .5, .5, .5, .5});
}

TEST(BifTest, TablesOfConditionalsHaveTheChildSlowest) {
  const ModelFile model = read_bif(
      "network n { } variable a { type discrete [ 2 ] { x y }; } variable b { type discrete [ 2 ] { x y }; }"
      "probability ( a ) { table 0.5 0.5; } probability ( b a ) { table 0.1 0.2 0.9 0.8; }");
  expect_probabilities(model.graph, 1, {.1, .9, .2, .8});
}

TEST(BifTest, NamesAndNumbersSurvive) {
  const ModelFile model = read_bif(kSmallNetwork);
  const std::string written = write_bif(model);
  const ModelFile again = read_bif(written);
  EXPECT_EQ(again.names, model.names);
  expect_same_graph(again.graph, model.graph);
  EXPECT_EQ(write_bif(again), written);
  EXPECT_THAT(written, AllOf(HasSubstr("(<5, no) 0.1, 0.9;"), HasSubstr("{ \"very wet\", <5, 0-3_days }")));
}

TEST(BifTest, OddNamesSurvive) {
  ModelFile model = read_bif(kSmallNetwork);
  model.names.variables = {"a{b}", "\"", "\\"};
  model.names.values = {{"//", "/*"}, {",", "|", "\xff\\\""}, {"table", "a b"}};
  EXPECT_EQ(read_bif(write_bif(model)).names, model.names);
  model.names.variables[0] = "a\nb";
  EXPECT_THAT(message_of<InputError>([&] { write_bif(model); }), HasSubstr("line break"));
}

TEST(BifTest, VariablesWithoutNamesAreNumbered) {
  ModelFile model = read_bif(kSmallNetwork);
  model.names = {};
  EXPECT_THAT(write_bif(model), AllOf(HasSubstr("network unknown {"), HasSubstr("probability ( x2 | x1, x0 )"),
                                      HasSubstr("(s1, s1) 0.1, 0.9;")));
}

TEST(BifTest, RefusesOneCorruptionOfTheDeclarationsAtATime) {
  EXPECT_THAT(bif_refusal("network weather", "MARKOV"), AllOf(StartsWith("memory:2: "), HasSubstr("'MARKOV'")));
  EXPECT_THAT(bif_refusal("variable Grass", "variable Rain"), AllOf(StartsWith("memory:7: "), HasSubstr("twice")));
  EXPECT_THAT(bif_refusal("[ 2 ]", "[ 3 ]"),
              AllOf(StartsWith("memory:5: "), HasSubstr("announces 3 values and names 2")));
  EXPECT_THAT(bif_refusal("[ 2 ]", "[ 70000 ]"), HasSubstr("from 1 to 65535"));
  EXPECT_THAT(bif_refusal("yes, no", "yes, yes"), HasSubstr("the value 'yes' twice"));
  EXPECT_THAT(bif_refusal("discrete", "continuous"), HasSubstr("Only discrete"));
  EXPECT_THAT(bif_refusal("type discrete [ 2 ] { yes, no };", ""), HasSubstr("'Rain' has no type"));
  EXPECT_THAT(bif_refusal("no }; }", "no }; type discrete [ 1 ] { a }; }"), HasSubstr("a second type"));
  EXPECT_THAT(bif_refusal("Rain {", "{ {"), HasSubstr("'{' where a variable's name should be"));
}

TEST(BifTest, RefusesOneCorruptionOfTheProbabilitiesAtATime) {
  EXPECT_THAT(bif_refusal("| Rain )", "| Rian )"), AllOf(StartsWith("memory:9: "), HasSubstr("Did you mean 'Rain'?")));
  EXPECT_THAT(bif_refusal("| Rain )", "| Rain Rain )"), HasSubstr("appears twice"));
  EXPECT_THAT(bif_refusal("( Grass |", "( Rain |"),
              AllOf(StartsWith("memory:13: "), HasSubstr("the first is on line 8")));
  EXPECT_THAT(bif_refusal("(no)", "(non)"),
              AllOf(StartsWith("memory:10: "), HasSubstr("no value 'non'"), HasSubstr("Did you mean 'no'?")));
  EXPECT_THAT(bif_refusal("(no)", "(no, no)"), HasSubstr("')' should be"));
  EXPECT_THAT(bif_refusal("(yes)", "(no)"), AllOf(StartsWith("memory:11: "), HasSubstr("given twice")));
  EXPECT_THAT(bif_refusal("  (yes) 1, 0, 0;\n", ""),
              AllOf(StartsWith("memory:11: "), HasSubstr("1 of 2 rows are missing"), HasSubstr("given (yes)")));
  EXPECT_THAT(bif_refusal("0.25, 0.5", "0.25, 0.503"),
              AllOf(StartsWith("memory:10: "), HasSubstr("'Lawn state' given (no) sum to 1.003")));
  EXPECT_THAT(bif_refusal("0.25, 0.5", "0.25"), HasSubstr("2 probabilities where 3 should be"));
  EXPECT_THAT(bif_refusal("0.25, 0.5", "0.25, 0.5, 0"), HasSubstr("more than 3 probabilities"));
  for (const char* bad : {"-0.1", "nan", "1.5", "x", "inf"})
    EXPECT_THAT(bif_refusal("0.1, 0.9", std::string(bad) + ", 0.9"),
                AllOf(StartsWith("memory:15: "), HasSubstr("is not a probability")));
  EXPECT_THAT(bif_refusal("0.5 0.5;", "0.5 0.5; default 0.5 0.5;"), HasSubstr("a second 'default'"));
  EXPECT_THAT(bif_refusal("0.2, 0.8;", "0.2, 0.8; table 0.2, 0.8;"), HasSubstr("after other rows"));
  EXPECT_THAT(bif_refusal("probability ( Rain ) { table 0.2, 0.8; }\n", ""), HasSubstr("'Rain' has no probabilities"));
  for (const char* nothing : {"", "\n", "// only a comment\n"})
    EXPECT_THAT(message_of<InputError>([&] { read_bif(nothing); }), HasSubstr("the file holds nothing")) << nothing;
  EXPECT_EQ(
      read_bif("network n{} variable a{type discrete[2]{x y};} probability(a){table .5 .5009;}").graph.factor_count(),
      1u);
}

TEST(BifTest, RefusesCycles) {
  std::string text(kSmallNetwork);
  text.replace(text.find("( Rain ) { table 0.2, 0.8; }"), 28, "( Rain | Grass ) { default 0.2, 0.8; }");
  EXPECT_THAT(message_of<InputError>([&] { read_bif(text); }),
              AllOf(HasSubstr("directed cycle: "), HasSubstr("Rain -> ")));
}

TEST(BifTest, RefusesEveryPrefix) {
  for (std::size_t length = kSmallNetwork.find("variable") + 1; length + 1 < kSmallNetwork.size(); ++length)
    EXPECT_THROW(read_bif(kSmallNetwork.substr(0, length)), InputError) << length;
}

TEST(BifTest, DefaultsDoNotExhaustMemory) {
  std::string text = "network n { }\n", head;
  for (int v = 0; v < 31; ++v) {
    text += "variable v" + std::to_string(v) + " { type discrete [ 2 ] { a b }; }\n";
    head += " v" + std::to_string(v);
  }
  EXPECT_THAT(message_of<InputError>([&] { read_bif(text + "probability (" + head + " ) { default 0.5 0.5; }"); }),
              HasSubstr("'default' rows of more than"));
  EXPECT_THAT(message_of<InputError>([&] { read_bif(text + "probability (" + head + " ) { }"); }),
              HasSubstr("1073741824 of 1073741824 rows are missing"));
}

TEST(BifTest, RefusesToWriteWhatIsNoNetwork) {
  const ModelFile model{.graph = testing::random_graph({}, 1)};
  EXPECT_THAT(message_of<InputError>([&] { write_bif(model); }), HasSubstr("Bayesian networks only"));
  FactorGraph::Builder builder;
  builder.add_variable(1);
  builder.add_variable(1);
  builder.add_factor(std::vector<VariableId>{0, 1}, std::vector<double>{0});
  builder.add_factor(std::vector<VariableId>{1, 0}, std::vector<double>{0});
  EXPECT_THAT(message_of<InputError>([&] { write_bif({.graph = builder.build()}); }), HasSubstr("directed cycle"));
}

TEST(BifTest, RealNetworkSurvives) {
  FOVEA_DATA_OR_SKIP(path, "bif/hailfinder.bif.gz");
  const ModelFile model = graph::read_bif(io::ByteSource(path));
  EXPECT_EQ(model.graph.variable_count(), 56u);
  const ModelFile again = read_bif(write_bif(model));
  EXPECT_EQ(again.names, model.names);
  expect_same_graph(again.graph, model.graph);
}

/// Binary variables; each scope's last variable is the child of the others.
FactorGraph graph_of(std::size_t variables, const std::vector<std::vector<VariableId>>& scopes) {
  FactorGraph::Builder builder;
  for (std::size_t v = 0; v < variables; ++v) builder.add_variable(2);
  for (const std::vector<VariableId>& scope : scopes)
    builder.add_factor(scope, std::vector<double>(std::size_t{1} << scope.size()));
  return builder.build();
}

bool has_arrow(const FactorGraph& graph, VariableId parent, VariableId child) {
  for (FactorId f = 0; f < graph.factor_count(); ++f)
    if (!graph.scope(f).empty() && graph.scope(f).back() == child && parent != child &&
        std::ranges::find(graph.scope(f), parent) != graph.scope(f).end())
      return true;
  return false;
}

TEST(DirectedStructureTest, AcyclicGraphsHaveNoCycle) {
  EXPECT_TRUE(find_directed_cycle(graph_of(0, {{}})).empty());
  EXPECT_TRUE(find_directed_cycle(graph_of(4, {{0}, {0, 1}, {0, 2}, {2, 1, 3}, {0, 3}})).empty());
}

TEST(DirectedStructureTest, FindsTheCycleBehindItsDescendants) {
  EXPECT_EQ(find_directed_cycle(graph_of(5, {{1, 0}, {2, 1}, {3, 2}, {4, 2}, {2, 3}, {4}})).size(), 2u);
}

RC_GTEST_PROP(DirectedStructureProperty, CyclesAreCyclesAndNoneIsMissed, (std::uint32_t seed)) {
  std::mt19937 engine(seed);
  const std::size_t variables = 5;
  std::vector<std::vector<VariableId>> scopes;
  for (std::size_t f = 0; f < 5; ++f) {
    std::vector<VariableId> scope{0, 1, 2, 3, 4};
    std::shuffle(scope.begin(), scope.end(), engine);
    scope.resize(1 + engine() % 3);
    scopes.push_back(scope);
  }
  const FactorGraph graph = graph_of(variables, scopes);
  const std::vector<VariableId> cycle = find_directed_cycle(graph);
  for (std::size_t i = 0; i < cycle.size(); ++i) RC_ASSERT(has_arrow(graph, cycle[i], cycle[(i + 1) % cycle.size()]));
  bool has_order = false;
  std::vector<VariableId> order{0, 1, 2, 3, 4};
  do {
    bool is_topological = true;
    for (std::size_t i = 0; i < variables; ++i)
      for (std::size_t j = 0; j < i; ++j) is_topological = is_topological && !has_arrow(graph, order[i], order[j]);
    has_order = has_order || is_topological;
  } while (std::next_permutation(order.begin(), order.end()));
  RC_ASSERT(cycle.empty() == has_order);
}

}  // namespace
}  // namespace fovea::graph
