// SPDX-License-Identifier: Apache-2.0
#include "fovea/linkage/matching/match_explanation.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "tests/support/expect_error.h"
#include "tests/support/people_table.h"

namespace fovea::linkage {
namespace {

class MatchExplanationTest : public ::testing::Test {
 protected:
  const io::Table table_ = testing::table_of({"id", "name", "city"},
                                             {{"7", "Zoë with a name of many letters", "Ulm"}, {"9", "Zoe", "Bonn"}});
  const std::vector<Comparison> comparisons_ = parse_comparisons("name, city", table_);
  const MatchModel model_{comparisons_, {.weights = {.prior_log_odds = -2, .weights = {{0, -1.5, 3}, {0, -.5, 2}}}}};
};

TEST_F(MatchExplanationTest, IsAWaterfall) {
  const std::string text = explain_match(model_, table_, {0, 1}, {"7", "9"}).text();
  EXPECT_THAT(text, HasSubstr("prior"));
  EXPECT_THAT(text, HasSubstr("Zoë with a name of ~ Zoe                  different"));
  EXPECT_THAT(text, HasSubstr("-1.50   ----      |"));
  EXPECT_THAT(text, HasSubstr("-4.00  probability 0.0180"));
}

TEST_F(MatchExplanationTest, JsonHasTheSameTerms) {
  const auto json = nlohmann::json::parse(explain_match(model_, table_, {0, 1}, {"7", "9"}).json());
  EXPECT_EQ(json["ids"][1], "9");
  EXPECT_EQ(json["prior_log_odds"], -2);
  EXPECT_EQ(json["terms"][1]["comparison"], "city");
  EXPECT_EQ(json["terms"][1]["weight"], -.5);
  EXPECT_EQ(json["score"], -4);
}

}  // namespace
}  // namespace fovea::linkage
