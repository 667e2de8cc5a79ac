// SPDX-License-Identifier: Apache-2.0
#include "fovea/graph/report/draws.h"

#include <gmock/gmock.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "tests/support/expect_error.h"

namespace fovea::graph {
namespace {

DrawTable tables_of(std::initializer_list<std::string_view> texts) {
  std::vector<io::ByteSource> sources;
  for (const std::string_view text : texts) sources.push_back(io::ByteSource::from_memory(text, "d.csv"));
  return read_draws(std::move(sources));
}

DrawTable table_of(std::string_view text) { return tables_of({text}); }

TEST(Draws, ColumnsBecomeVariablesAndRowsChains) {
  const DrawTable table = table_of("a,chain,draw,b\n0,1,1,5\n1,2,1,6\n0,1,2,7\n1,2,2,8\n");
  EXPECT_THAT(table.variables, ElementsAre("a", "b"));
  EXPECT_THAT(table.draws[0], ElementsAre(ElementsAre(0, 0), ElementsAre(1, 1)));
  EXPECT_THAT(table.draws[1], ElementsAre(ElementsAre(5, 7), ElementsAre(6, 8)));
}

TEST(Draws, ReadsWhatOtherSamplersWrite) {
  const DrawTable stan = tables_of({"# model = toy\nlp__,energy__,mu\n# step = .8\n-1,8,.5\n-2,8,.25\n# end\n",
                                    "lp__,energy__,mu\n-3,8,1\n-4,8,2\n"});
  EXPECT_THAT(stan.variables, ElementsAre("lp__", "mu"));
  EXPECT_THAT(stan.draws[1], ElementsAre(ElementsAre(.5, .25), ElementsAre(1, 2))) << "a file is a chain";
  const DrawTable posterior =
      table_of("\".chain\",\".iteration\",\".draw\",\"theta[1]\"\n1,1,1,5\n1,2,2,6\n2,1,3,7\n2,2,4,8\n");
  EXPECT_THAT(posterior.variables, ElementsAre("theta[1]"));
  EXPECT_THAT(posterior.draws[0], ElementsAre(ElementsAre(5, 6), ElementsAre(7, 8)));
  EXPECT_THAT(table_of(",chain,draw,v\n0,0,0,3\n1,0,1,4\n").draws[0], ElementsAre(ElementsAre(3, 4)));
}

TEST(Draws, ChainsThatEndALittleSoonerCutTheOthers) {
  std::string text = "chain,draw,x\n";
  for (int chain = 0; chain < 2; ++chain)
    for (int draw = 0; draw < 20 - chain; ++draw) text += std::to_string(chain) + "," + std::to_string(draw) + ",1\n";
  const DrawTable table = table_of(text);
  EXPECT_EQ(table.draws[0][0].size(), 19u);
  EXPECT_EQ(table.draws[0][1].size(), 19u);
  EXPECT_EQ(table.left_out, 1u);
}

TEST(Draws, ASingleChainIsJudgedByItsHalves) {
  std::string text = "x\n";
  for (int draw = 0; draw < 1000; ++draw) text += std::to_string(draw * 7919 % 1000 + (draw < 500 ? 0 : 900)) + "\n";
  EXPECT_EQ(diagnose(table_of(text))[0].chains.mixing, mcmc::Mixing::kNotMixed);
}

TEST(Draws, RefusesWhatAreNoDraws) {
  EXPECT_THAT(message_of<InputError>([] {
                tables_of({"x\n1\n", "y\n1\n"});
              }),
              HasSubstr("not those of the file before"));
  EXPECT_THAT(message_of<InputError>([] { table_of("chain,draw,x\n1,1,yes\n"); }),
              HasSubstr("d.csv:2: 'yes' in column 'x' is not a number"));
  EXPECT_THAT(message_of<InputError>([] { table_of("chain,draw,x\n1,2,0\n1,1,0\n"); }),
              HasSubstr("d.csv:3: draw 1 of chain 1 comes after draw 2"));
  EXPECT_THAT(message_of<InputError>([] { table_of("chain,draw,x\n1,1,0\n1,2,0\n2,1,0\n"); }),
              HasSubstr("chains of 2 and of 1 draws"));
  EXPECT_THAT(message_of<InputError>([] { table_of("chain,draw,x\n"); }), HasSubstr("a table without draws"));
  EXPECT_THAT(message_of<InputError>([] { table_of("chain,draw\n1,1\n"); }), HasSubstr("a table without draws"));
}

TEST(Draws, DiagnosisTellsChainsThatAgreeFromThoseThatDoNot) {
  std::string text = "chain,draw,agree,apart,constant\n";
  for (int draw = 1; draw <= 40; ++draw)
    for (int chain = 1; chain <= 2; ++chain)
      text += std::to_string(chain) + "," + std::to_string(draw) + "," + std::to_string((draw * 7 + chain * 3) % 11) +
              "," + std::to_string(10 * chain + draw % 3) + ",4\n";
  const std::vector<VariableDiagnosis> rows = diagnose(table_of(text));
  EXPECT_LT(rows[0].chains.r_hat, 1.05);
  EXPECT_GT(rows[1].chains.r_hat, 2);
  EXPECT_TRUE(std::isnan(rows[2].chains.r_hat));
  EXPECT_EQ(rows[2].mean, 4);
  EXPECT_EQ(rows[1].chains.mixing, mcmc::Mixing::kNotMixed);
  EXPECT_EQ(rows[2].chains.mixing, mcmc::Mixing::kCannotTell) << "what never moved";
  EXPECT_EQ(rows[0].chains.mixing, mcmc::Mixing::kCannotTell) << "80 draws are too few";
  const std::string report = diagnosis_text(rows);
  EXPECT_LT(report.find("apart"), report.find("agree")) << "the worst comes first";
  EXPECT_THAT(report, HasSubstr("0 of 3 variables have mixed"));
  EXPECT_THAT(report, HasSubstr("for 1 the chains disagree: run longer"));
  EXPECT_THAT(report, HasSubstr("for 2 it is unknown"));
  EXPECT_EQ(report.find("nan"), std::string::npos);
  const auto json = nlohmann::json::parse(diagnosis_json(rows));
  EXPECT_EQ(json["variables"][1]["variable"], "apart");
  EXPECT_TRUE(json["variables"][2]["r_hat"].is_null());
  EXPECT_EQ(json["variables"][2]["chains"], "cannot tell");
}

}  // namespace
}  // namespace fovea::graph
