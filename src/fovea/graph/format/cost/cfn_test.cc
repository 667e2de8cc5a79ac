// SPDX-License-Identifier: Apache-2.0
#include "fovea/graph/format/cost/cfn.h"

#include <fmt/format.h>
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

ModelFile read_cfn(std::string_view text) { return graph::read_cfn(io::ByteSource::from_memory(text, "m.cfn")); }

std::string write_cfn(const ModelFile& model) {
  return testing::written([&](io::OutputFile& output) { write_cfn(model, output); });
}

/// A model of x in {a, b} and y in 0 .. 2 with these functions.
ModelFile read_functions(const std::string& functions, const std::string& bound = "<10.5") {
  return read_cfn(R"({"problem": {"name": "p", "mustbe": ")" + bound + R"("},
 "variables": {"x": ["a", "b"], "y": 3},
 "functions": {)" +
                  functions + "}}");
}

TEST(CfnTest, ReadsTablesTuplesAndConstants) {
  const ModelFile model = read_functions(R"("f": {"scope": ["x", "y"], "costs": [1, 2.25, -3, 4, 5, 6]},
    "g": {"scope": ["y", 0], "defaultcost": 0.5, "costs": [1, "b", 7, 2, "a", 3]}, {"scope": [], "costs": [-2]})");
  EXPECT_EQ(model.format, "cfn");
  EXPECT_EQ(model.names.model, "p");
  EXPECT_THAT(model.names.variables, ElementsAre("x", "y"));
  EXPECT_THAT(model.names.values, ElementsAre(ElementsAre("a", "b"), ElementsAre()));
  EXPECT_EQ(model.names.value(1, 2), "2");
  EXPECT_EQ(model.graph.log_score(Assignment{0, 1}), -2.25 - 0.5 + 2);
  EXPECT_EQ(model.graph.log_score(Assignment{1, 2}), -6 - 0.5 + 2);
  EXPECT_EQ(model.graph.table(1)[3], -7);
}

TEST(CfnTest, ForbidsWhereNoTotalCanBeBelowTheBound) {
  const ModelFile positive = read_functions("{scope: [x], costs: [10.5, 10.4]} {scope: [y], costs: [1, 2, 3]}");
  EXPECT_EQ(positive.graph.log_score(Assignment{0, 0}), -kInfinity);
  EXPECT_EQ(positive.graph.log_score(Assignment{1, 0}), -11.4);
  // The second function can make up for 3; a cost of its own below 0 is no help.
  const ModelFile mixed = read_functions("{scope: [x], costs: [-9, 13.5]} {scope: [y], costs: [-3, 19.4, 19.5]}");
  EXPECT_EQ(mixed.graph.log_score(Assignment{1, 0}), -kInfinity);
  EXPECT_DOUBLE_EQ(mixed.graph.log_score(Assignment{0, 1}), -10.4);
  EXPECT_EQ(mixed.graph.log_score(Assignment{0, 2}), -kInfinity);
}

TEST(CfnTest, MaximisesRewards) {
  const ModelFile model = read_functions("{scope: [x], costs: [4, -1]} {scope: [y], costs: [-1, -5, -9]}", ">-1");
  EXPECT_EQ(model.graph.log_score(Assignment{0, 0}), 3);
  EXPECT_EQ(model.graph.log_score(Assignment{1, 0}), -kInfinity);
  EXPECT_EQ(model.graph.log_score(Assignment{0, 1}), -kInfinity);
}

TEST(CfnTest, ReadsTheConciseForm) {
  const ModelFile anonymous = read_cfn("# a comment\n{{p >0.5}\n[[a b c] 3 -2]\n[{[0 1] costs{1 2 3 4 5 6 7 8 9}}]}");
  EXPECT_EQ(anonymous.graph.cardinalities().size(), 3u);
  EXPECT_THAT(anonymous.names.variables, ElementsAre());
  EXPECT_THAT(anonymous.names.values, ElementsAre(ElementsAre("a", "b", "c"), ElementsAre(), ElementsAre()));
  EXPECT_EQ(anonymous.graph.log_score(Assignment{1, 2, 1}), 6);
}

TEST(CfnTest, SharesTablesOfFunctionsBeforeAndBehind) {
  const ModelFile model = read_functions(
      R"(f: {scope: [x], costs: h}, g: {scope: [y], costs: [1, 2, 3]}, h: {scope: [x], costs: [7, 8]}, {scope: [y], costs: g})");
  EXPECT_EQ(model.graph.table_count(), 2u);
  EXPECT_EQ(model.graph.log_score(Assignment{1, 2}), -8 - 3 - 8 - 3);
}

TEST(CfnTest, ReadsArithmetic) {
  const ModelFile model = read_functions(R"({scope: [x, y], type: ">=", params: [0, 1]})");
  EXPECT_EQ(model.graph.log_score(Assignment{0, 0}), 0);
  EXPECT_EQ(model.graph.log_score(Assignment{1, 2}), -1);
  EXPECT_EQ(model.graph.log_score(Assignment{0, 2}), -kInfinity);
}

TEST(CfnTest, ModelsAndNamesSurvive) {
  for (std::uint32_t seed = 0; seed < 30; ++seed) {
    ModelFile model{.graph = testing::random_graph({.min_cardinality = 1,
                                                    .min_arity = 0,
                                                    .scale = seed % 2 == 0 ? 1.0 : 1000.0,
                                                    .forbidden = seed % 3 == 0 ? 0.8 : 0.1,
                                                    .shared_tables = 0.3},
                                                   seed)};
    model.names.model = "name";
    for (std::size_t v = 0; v < model.graph.variable_count(); ++v) {
      model.names.variables.push_back(fmt::format("v{}", v));
      model.names.values.emplace_back();
      for (std::size_t k = 0; v != 1 && k < model.graph.cardinality(static_cast<VariableId>(v)); ++k)
        model.names.values.back().push_back(fmt::format("k-{}", k));
    }
    const ModelFile again = read_cfn(write_cfn(model));
    testing::expect_same_graph(again.graph, model.graph, 1e-11);
    EXPECT_EQ(again.names, model.names);
    EXPECT_EQ(write_cfn(read_cfn(write_cfn(again))), write_cfn(again));
  }
}

TEST(CfnTest, DecimalCostsAreWrittenExactly) {
  const ModelFile model = read_functions("{scope: [y], costs: [0.1, 2.25, -3.125]}");
  EXPECT_THAT(write_cfn(model), AllOf(HasSubstr("\"<3.000\""), HasSubstr("[0.100, 2.250, -3.125]")));
  testing::expect_same_graph(read_cfn(write_cfn(model)).graph, model.graph);
}

TEST(CfnTest, TablesOfMoreThanThreeVariablesAreWrittenByTuples) {
  const ModelFile dense =
      read_cfn("{{p <90} {w: 2 x: 2 y: 2 z: 2} {{[w x y z] costs[16 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15]}}}");
  EXPECT_THAT(write_cfn(dense), HasSubstr("\"defaultcost\": 16, \"costs\": [0, 0, 0, 1, 1, 0, 0, 1, 0, 2"));
  testing::expect_same_graph(read_cfn(write_cfn(dense)).graph, dense.graph);
}

TEST(CfnTest, NamesThatTheFormatCannotHoldBecomeNumbers) {
  ModelFile model = read_functions("{scope: [x, y], defaultcost: 1, costs: [b 0 3]}");
  model.names = {.model = "1 2", .variables = {"x[1]", "y"}, .values = {{"a", "b"}, {"1", "2", "3"}}};
  const ModelNames expected = {.model = "model", .variables = {}, .values = {{"a", "b"}, {}}};
  EXPECT_EQ(read_cfn(write_cfn(model)).names, expected);
}

TEST(CfnTest, RefusesScoresWithoutABound) {
  FactorGraph::Builder builder;
  const TableId table = builder.add_table(std::vector<double>{-1e308});
  builder.add_factor({}, table);
  builder.add_factor({}, table);
  EXPECT_THAT(message_of<InputError>([&] { write_cfn({.graph = builder.build()}); }), HasSubstr("more than 1e308"));
}

TEST(CfnTest, SaysWhereAndWhatIsWrong) {
  const auto refusal = [](const char* text) {
    const std::string message = message_of<InputError>([&] { read_cfn(text); });
    EXPECT_THAT(message, HasSubstr("m.cfn"));
    return message;
  };
  testing::expect_messages(
      refusal,
      {{"", "the model"},
       {"MARKOV", "m.cfn:1: 'MARKOV' where '{' or '[' of the model should be"},
       {"{\n problem: 3", "m.cfn:2: '3' where '{' or '[' of the problem"},
       {"{problem: {name: p, mustbe: 3}}", "the bound is '3'"},
       {"{problem: {name: p, mustbe: \"<x\"}}", "the bound is '<x'"},
       {"{problem: {name: p, mustbe: \"<\"}}", "the bound is '<'"},
       {"{problem: {name: p, mustbe: \"\"}}", "the bound is ''"},
       {"{problem: {name: p, mustbe: <9 more}}", "'more' where '}' or ']' of the problem"},
       {"{{p <9} variables: x", "'x' where '{' or '[' of the variables"},
       {"{{p <9} {x: 2\n x: 3}", "m.cfn:2: two variables have the name 'x'"},
       {"{{p <9} {x: 2, 3}", "some variables have names and some have none"},
       {"{{p <9} {x: y}", "the number of values is 'y'"},
       {"{{p <9} {x: 2.5}", "the number of values is '2.5'"},
       {"{{p <9} {x: 0}", "a variable with 0 values"},
       {"{{p <9} {x: 65536}", "a variable with 65536 values"},
       {"{{p <9} {x: [a a]}", "two values named 'a'"},
       {"{{p <9} {x: [a [b]]}", "'[' where the name of a value should be"},
       {"{{p <9} {x: 2} {f: 3", "'3' where '{' or '[' of a function"},
       {"{{p <9} {x: 2} {{scope: [z]", "a variable of a function is 'z'"},
       {"{{p <9} {x: 2} {{scope: [1]", "a variable of a function is '1'. Give a name, or a number below 1"},
       {"{{p <9} {x: 2} {{scope: [x x]", "names variable 0 twice"},
       {"{{p <9} {x: 2} {{scope: [x]}}}", "a function without 'costs' or 'type'"},
       {"{{p <9} {x: 2} {{scope: [x] defaultcost: z", "the default cost of a function is 'z'"},
       {"{{p <9} {x: 2} {{scope: [x] costs: [1 z", "a cost is 'z'"},
       {"{{p <9} {x: 2} {{scope: [x] costs: [1 2 3]", "3 costs, but its variables have 2 joint values"},
       {"{{p <9} {x: [a b]} {{scope: [x] defaultcost: 0 costs: [c 1", "a value of a tuple is 'c'"},
       {"{{p <9} {x: [a b]} {{scope: [x] defaultcost: 0 costs: [2 1", "a value of a tuple is '2'"},
       {"{{p <9} {x: [a b]}\n{{scope: [x] defaultcost: 0 costs: [a 1 0 2]", "m.cfn:2: a cost function gives two costs"},
       {"{{p <9} {x: 2} {{scope: [x] costs: [1 2] 3", "'3' where '}' or ']' of a function"},
       {"{{p <9} {x: 2} {f: {scope: [x] costs: [1 2]} f: {scope: [x] costs: [1 3]} g: {scope: [x] costs: f}}}",
        "several functions have that name"},
       {"{{p <9} {x: 2} {f: {scope: [x] costs: [1 -inf]}}}", "a cost is infinitely good"},
       {"{{p <9} {x: 2} {{scope: [x] costs: g}}}", "the costs of 'g', which does not exist"},
       {"{{p <9} {x: 2} {g: {scope: [x] costs: g}}}", "the costs of 'g', which has none of its own"},
       {"{{p <9} {x: 2 y: 3} {g: {scope: [x] costs: [1 2]} {scope: [y] costs: g}}}", "other numbers of values"},
       {"{{p <9} {x: 2} {{scope: [x] type: cfnconstraint",
        "functions of type 'cfnconstraint' of 1 variables are not supported"},
       {"{{p >9} {x: 2 y: 2} {{scope: [x y] type: \">=\"", "not supported when maximising"},
       {"{{p <9} {x: 2 y: 2} {{scope: [x y] type: \">=\" params: [1 a]", "a parameter of a function is 'a'"},
       {"{{p <9} {x: 2 y: 2} {{scope: [x y] type: \">=\" params: [1 2 3]", "'3' where '}' or ']' of the parameters"},
       {"{{p <9} {65535 65535} {{scope: [0 1] type: \">=\" params: [1 2]", "67108864 in all"},
       {"{{p <9} {65535 65535} {{scope: [0 1] defaultcost: 1 costs: []}", "67108864 in all"},
       {"{{p <9} {x: 2} {}", "the model"},
       {"{{p <9} {x: 2} {}} more", "'more' after the end of the model"}});
}

TEST(CfnTest, RealModelsSurvive) {
  FOVEA_DATA_OR_SKIP(path, "toulbar2_examples/1aho.cfn.gz");
  const ModelFile model = graph::read_cfn(io::ByteSource(path));
  const ModelFile again = read_cfn(write_cfn(model));
  EXPECT_EQ(again.names, model.names);
  testing::expect_same_graph(again.graph, model.graph);
}

TEST(CfnTest, ABoundThatSumsMayReachIsKept) {
  const std::string functions =
      R"("u": {"scope": [0], "costs": [0.5, 3.25]}, "w": {"scope": [1], "costs": [-1, 2.5, 0]})";
  EXPECT_EQ(read_functions(functions, "<5.5").cost_bound, 5.5);
  EXPECT_EQ(read_functions(functions, "<5.8").cost_bound, kInfinity);
  const ModelFile again = read_cfn(write_cfn(read_functions(functions, "<5.26")));
  EXPECT_NEAR(again.cost_bound, 5.26, 1e-9);
  EXPECT_EQ(read_functions(functions, ">-0.5").cost_bound, .5) << "maximising: costs are minus those of the file";
}

}  // namespace
}  // namespace fovea::graph
