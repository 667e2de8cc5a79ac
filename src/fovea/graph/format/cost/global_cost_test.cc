// SPDX-License-Identifier: Apache-2.0
// Each global cost function in both formats: the costs of some joint values, worked out by hand.
#include "fovea/graph/format/cost/global_cost.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gmock/gmock.h>

#include "fovea/base/log_math.h"
#include "fovea/graph/format/cost/cfn.h"
#include "fovea/graph/format/cost/wcsp.h"
#include "tests/support/expect_error.h"

namespace fovea::graph {
namespace {

constexpr double kNever = kInfinity;

struct GlobalCase {
  std::string wcsp, cfn;  ///< what follows -1, and the fields type and params
  std::vector<std::pair<std::vector<Value>, double>> costs;
};

ModelFile model_of_wcsp(const std::string& function, std::size_t variables, std::size_t values) {
  std::string text = fmt::format("m {} {} 1 1000\n", variables, values);
  for (std::size_t v = 0; v < variables; ++v) text += fmt::format("{} ", values);
  text += fmt::format("\n{} ", variables);
  for (std::size_t v = 0; v < variables; ++v) text += fmt::format("{} ", v);
  return graph::read_wcsp(io::ByteSource::from_memory(text + "-1 " + function, "m.wcsp"));
}

ModelFile model_of_cfn(const std::string& function, std::size_t variables, std::size_t values) {
  std::vector<std::string> names;
  for (std::size_t v = 0; v < variables; ++v) names.push_back(fmt::format("v{}", v));
  return graph::read_cfn(io::ByteSource::from_memory(
      fmt::format(
          "{{problem: {{name: m mustbe: <1000.0}} variables: {{{}: {}}} functions: {{f: {{scope: [{}] {} }} }} }}",
          fmt::join(names, fmt::format(": {} ", values)), values, fmt::join(names, " "), function),
      "m.cfn"));
}

double cost_of(const ModelFile& model, const std::vector<Value>& values) { return -model.graph.log_score(values); }

const std::vector<GlobalCase> kCases = {
    {"salldiff var 5", "type: salldiff params: {metric: var cost: 5}", {{{0, 1, 2, 0}, 5}, {{1, 1, 1, 1}, 15}}},
    {"salldiff dec 5", "type: salldiff params: {metric: dec cost: 5}", {{{0, 1, 2, 0}, 5}, {{1, 1, 1, 1}, 30}}},
    {"walldifferent quad 5", "type: walldiff params: {metric: quad cost: 5}", {{{0, 0, 2, 0}, 20}, {{0, 0, 1, 1}, 10}}},
    {"sgcc var 2 2 0 2 2 1 1 1",
     "type: sgcc params: {metric: var cost: 2 bounds: [[0 2 2][1 1 1]]}",
     {{{0, 0, 1, 2}, 0}, {{1, 1, 1, 1}, 6}, {{2, 2, 2, 2}, 6}}},
    {"sgcc wdec 1 1 0 1 1 3 5",
     "type: sgcc params: {metric: wdec cost: 1 bounds: [[0 1 1 3 5]]}",
     {{{0, 1, 1, 1}, 0}, {{1, 1, 1, 1}, 3}, {{0, 0, 0, 1}, 10}}},
    {"wgcc lin 2 2 0 2 2 1 1 1",
     "type: wgcc params: {metric: lin cost: 2 bounds: [[0 2 2][1 1 1]]}",
     {{{0, 0, 1, 2}, 0}, {{1, 1, 1, 1}, 10}}},
    {"ssame 7 2 2 0 1 2 3",
     "type: ssame params: {cost: 7 vars1: [v0 v1] vars2: [v2 v3]}",
     {{{0, 1, 1, 0}, 0}, {{0, 0, 1, 0}, 7}, {{0, 0, 1, 1}, 14}}},
    {"wsame lin 7", "type: wsame params: {metric: lin cost: 7}", {{{0, 1, 1, 0}, 0}, {{0, 0, 1, 0}, 14}}},
    {"wsamegcc lin 1 1 0 1 1",
     "type: wsamegcc params: {metric: lin cost: 1 bounds: [[0 1 1]]}",
     {{{0, 1, 1, 0}, 0}, {{0, 0, 0, 0}, 2}}},
    {"samongdp var 4 1 2 1 0",
     "type: samongdp params: {metric: var cost: 4 min: 1 max: 2 values: [0]}",
     {{{0, 1, 1, 1}, 0}, {{1, 1, 1, 1}, 4}, {{0, 0, 0, 0}, 8}}},
    {"wamong quad 4 1 0 1 2",
     "type: wamong params: {metric: quad cost: 4 values: [0] min: 1 max: 2}",
     {{{1, 1, 1, 1}, 4}, {{0, 0, 0, 0}, 16}}},
    {"wvaramong hard 9 1 2",
     "type: wvaramong params: {metric: hard cost: 9 values: [2]}",
     {{{2, 0, 2, 2}, 0}, {{2, 0, 0, 2}, 9}}},
    {"wsum lin 3 <= 2",
     "type: wsum params: {metric: lin cost: 3 comparator: <= to: 2}",
     {{{0, 1, 1, 0}, 0}, {{2, 1, 1, 0}, 6}}},
    {"wsum hard 3 != 2",
     "type: wsum params: {metric: hard cost: 3 comparator: != to: 2}",
     {{{0, 1, 1, 0}, 3}, {{2, 1, 1, 0}, 0}}},
    {"wvarsum hard 3 ==",
     "type: wvarsum params: {metric: hard cost: 3 comparator: \"==\"}",
     {{{0, 1, 1, 2}, 0}, {{2, 1, 1, 0}, 3}}},
    {"woverlap lin 3 > 1",
     "type: woverlap params: {metric: lin cost: 3 comparator: > to: 1}",
     {{{1, 2, 1, 2}, 0}, {{0, 1, 0, 1}, 3}, {{1, 1, 2, 2}, 6}}},
    {"knapsackv 5 3 0 1 2 1 2 3 2 0 4",
     "type: knapsackv params: {capacity: 5 weightedvalues: [[v0 1 2][v1 2 3][v2 0 4]]}",
     {{{1, 2, 1, 0}, 0}, {{1, 0, 1, 0}, kNever}, {{0, 2, 0, 0}, 0}}},
    {"smaxdp 3 2 0 0 9 1 1 1",
     "type: smaxdp params: {defaultcost: 3 tuples: [[v0 0 9][v1 1 1]]}",
     {{{0, 1, 0, 0}, 9}, {{1, 1, 0, 0}, 3}}},
    {"clique 1 1 0 1 0 1 1 1 1",
     "type: clique params: {rhs: 1 values: [[0][0][1][1]]}",
     {{{0, 1, 0, 0}, 0}, {{0, 1, 1, 0}, kNever}, {{1, 1, 0, 1}, 0}}},
    {"wdiverse 4 0 1 2 0",
     "type: wdiverse params: {distance: 4 values: [0 1 2 0]}",
     {{{1, 0, 0, 1}, 0}, {{1, 0, 2, 1}, kNever}}},
    {"wdiverse 2 0 1 2 0",
     "type: wdiverse params: {distance: 2 values: [0 1 2 0]}",
     {{{0, 0, 0, 0}, 0}, {{0, 1, 0, 0}, kNever}}},
    {"sregular var 2 2 1 0 2 0 1 3 0 0 0 0 1 1 1 1 1",
     "type: sregular params: {metric: var cost: 2 nb_states: 2 starts: [0] ends: [0 1] transitions: [[0 0 0][0 1 1][1 "
     "1 1]]}",
     {{{0, 0, 1, 1}, 0}, {{1, 0, 1, 1}, 2}, {{1, 0, 1, 0}, 4}}},
    {"sregular edit 2 2 1 0 1 1 2 0 0 0 0 1 1",
     "type: sregular params: {metric: edit cost: 2 nb_states: 2 starts: [0] ends: [1] transitions: [[0 0 0][0 1 1]]}",
     {{{0, 0, 0, 1}, 0}, {{0, 0, 1, 0}, 2}, {{0, 1, 1, 1}, 4}}},
    {"wregular 2 1 0 1 1 1 4 3 0 0 0 0 0 1 1 5 1 1 1 7",
     "type: wregular params: {nb_states: 2 starts: [[0 1]] ends: [[1 4]] transitions: [[0 0 0 0][0 1 1 5][1 1 1 7]]}",
     {{{0, 0, 0, 1}, 10}, {{0, 0, 1, 1}, 17}, {{0, 0, 1, 0}, kNever}}},
    {"sgrammardp weight 0 3 3 0 4 2 1 0 1 2 2 1 2 3 0 1 2 10 3 0 0 0 20",
     "type: sgrammardp params: {metric: weight cost: 0 nb_symbols: 3 nb_values: 3 start: 0 terminals: [[1 0 1][2 1 2]] "
     "non_terminals: [[0 1 2 10][0 0 0 20]]}",
     {{{0, 1, 0, 1}, 46}, {{0, 0, 1, 1}, kNever}}},
    {"sgrammardp var 5 3 3 0 4 0 1 0 0 2 1 1 0 1 2 1 0 0 0",
     "type: sgrammardp params: {metric: var cost: 5 nb_symbols: 3 nb_values: 3 start: 0 terminals: [[1 0][2 1]] "
     "non_terminals: [[0 1 2][0 0 0]]}",
     {{{0, 1, 0, 1}, 0}, {{0, 0, 1, 1}, 10}}},
    {"MST", "type: MST params: {}", {{{0, 0, 1, 2}, 0}, {{0, 1, 0, 0}, kNever}, {{1, 0, 0, 0}, kNever}}},
};

TEST(GlobalCost, CostsWhatItsDefinitionSays) {
  for (const GlobalCase& c : kCases)
    for (const auto& [values, cost] : c.costs) {
      EXPECT_EQ(cost_of(model_of_wcsp(c.wcsp, 4, 3), values), cost) << c.wcsp << fmt::format(" {}", values);
      EXPECT_EQ(cost_of(model_of_cfn(c.cfn, 4, 3), values), cost) << c.cfn << fmt::format(" {}", values);
    }
}

TEST(GlobalCost, ForbiddingOnesOfManyVariablesArePairs) {
  const ModelFile queens = model_of_wcsp("salldiff var 1000", 30, 30);
  EXPECT_EQ(queens.graph.factor_count(), 435);
  EXPECT_EQ(queens.graph.table_count(), 1) << "which share a table";
  const ModelFile far = model_of_wcsp("wdiverse 25 " + fmt::format("{}", fmt::join(std::vector(25, 1), " ")), 25, 5);
  EXPECT_EQ(far.graph.factor_count(), 25);
}

TEST(GlobalCost, TooLargeOnesAreRefused) {
  EXPECT_THAT(message_of<InputError>([] { model_of_wcsp("salldiff var 1", 30, 30); }),
              HasSubstr("m.wcsp:3: the cost function 'salldiff' of 30 variables has 2.06e+44 joint values"));
  EXPECT_THROW(model_of_wcsp("salldiff var 1000", 4000, 1), InputError);
}

TEST(GlobalCost, WrongParametersAreRefused) {
  const auto refusal = [](const std::string& function) {
    return message_of<InputError>([&] { model_of_wcsp(function, 4, 3); });
  };
  testing::expect_messages(refusal, {{"wregular 2 1 0 0 1 0 0 1 0 0 2 0", "a state is 2; it must be from 0 to 1"},
                                     {"wsum hard 3 ~ 1", "the comparator is '~'"},
                                     {"smaxdp 3 1 0 7 9", "a variable has no value 7"},
                                     {"smaxdp 3 1 9 0 9", "9"},
                                     {"ssame 7 1 2 0 1 2", "both lists must have the same number of variables"},
                                     {"sgrammardp var 1 3 3 5 0", "a symbol is 5; there are 3 symbols"},
                                     {"salldiff var", "m.wcsp"}});
}

}  // namespace
}  // namespace fovea::graph
