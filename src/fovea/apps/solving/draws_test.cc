// SPDX-License-Identifier: Apache-2.0
#include "fovea/apps/solving/draws.h"

#include <gmock/gmock.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "tests/support/expect_error.h"

namespace fovea {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using testing::message_of;

DrawTable table_of(std::string_view text) { return read_draws(ByteSource::from_memory(text, "d.csv")); }

TEST(Draws, ColumnsBecomeVariablesAndRowsChains) {
  const DrawTable table = table_of("a,chain,draw,b\n0,1,1,5\n1,2,1,6\n0,1,2,7\n1,2,2,8\n");
  EXPECT_THAT(table.variables, ElementsAre("a", "b"));
  EXPECT_THAT(table.draws[0], ElementsAre(ElementsAre(0, 0), ElementsAre(1, 1)));
  EXPECT_THAT(table.draws[1], ElementsAre(ElementsAre(5, 7), ElementsAre(6, 8)));
}

TEST(Draws, RefusesWhatAreNoDraws) {
  EXPECT_THAT(message_of<InputError>([] { table_of("draw,x\n1,0\n"); }), HasSubstr("no column is called 'chain'"));
  EXPECT_THAT(message_of<InputError>([] { table_of("chain,draw,x\n1,1,yes\n"); }),
              HasSubstr("d.csv:2: 'yes' in column 'x' is no number"));
  EXPECT_THAT(message_of<InputError>([] { table_of("chain,draw,x\n1,2,0\n1,1,0\n"); }),
              HasSubstr("d.csv:3: draw 1 of chain 1 comes behind draw 2"));
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
  EXPECT_LT(rows[0].r_hat, 1.05);
  EXPECT_GT(rows[1].r_hat, 2);
  EXPECT_TRUE(std::isnan(rows[2].r_hat));
  EXPECT_EQ(rows[2].mean, 4);
  EXPECT_EQ(rows[1].mixing, Mixing::kNotMixed);
  EXPECT_EQ(rows[2].mixing, Mixing::kCannotTell) << "what never moved";
  EXPECT_EQ(rows[0].mixing, Mixing::kCannotTell) << "80 draws are too few";
  const std::string report = diagnosis_text(rows);
  EXPECT_LT(report.find("apart"), report.find("agree")) << "the worst comes first";
  EXPECT_THAT(report, HasSubstr("0 of 3 variables have mixed"));
  EXPECT_THAT(report, HasSubstr("of 1 the chains disagree: run longer"));
  EXPECT_THAT(report, HasSubstr("of 2 it cannot be told"));
  EXPECT_EQ(report.find("nan"), std::string::npos);
  const auto json = nlohmann::json::parse(diagnosis_json(rows));
  EXPECT_EQ(json["variables"][1]["variable"], "apart");
  EXPECT_TRUE(json["variables"][2]["r_hat"].is_null());
  EXPECT_EQ(json["variables"][2]["chains"], "cannot tell");
}

}  // namespace
}  // namespace fovea
