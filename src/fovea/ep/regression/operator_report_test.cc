// SPDX-License-Identifier: Apache-2.0
#include "fovea/ep/regression/operator_report.h"

#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>

namespace fovea::ep {
namespace {

/// To a Gaussian from a Gaussian: of four held-out cases one is wrong, and one prediction was NaN.
LearnedOperator some_operator() {
  LearnedOperator learned = {.factor = "bend", .slot_count = 1, .options = {.max_marginal_kl = .01, .held_out = 20}};
  LearnedOperator::Part part = {.kind = MessageKind::of(0, std::vector<Message>{Gaussian()})};
  part.examples.resize(3);
  part.cases = {{.doubt = .001, .error = .002},
                {.doubt = .002, .error = .004},
                {.doubt = .5, .error = .02},
                {.doubt = .6, .error = std::nan("")}};
  part.seen = 7;
  learned.parts.push_back(part);
  return learned;
}

TEST(OperatorReport, TellsWhatWasLearned) {
  const std::string text = operator_text(some_operator());
  for (const char* part :
       {"operator 'bend', 1 variables, learns marginals by a forest; may err by a marginal KL of 0.01",
        "to variable 0 from (gaussian): 7 examples, 3 kept", "the last 4: 2 above that"})
    EXPECT_NE(text.find(part), std::string::npos) << text;
}

TEST(OperatorReport, HasTheSameInJson) {
  const auto json = nlohmann::json::parse(operator_json(some_operator()));
  EXPECT_EQ(json["factor"], "bend");
  const auto& part = json["parts"].at(0);
  EXPECT_EQ(part["examples"], 7);
  EXPECT_EQ(part["kept"], 3);
  EXPECT_EQ(part["above_max"], 2);
  EXPECT_EQ(part["marginal_kl"]["median"], .004);
  EXPECT_EQ(part["marginal_kl"]["max"], .02);
  EXPECT_EQ(json["options"]["jit_held_out"], 20);
}

TEST(OperatorReport, SaysThatNothingWasLearned) {
  LearnedOperator learned = some_operator();
  learned.parts.clear();
  EXPECT_NE(operator_text(learned).find("nothing was learned yet"), std::string::npos);
  EXPECT_TRUE(nlohmann::json::parse(operator_json(learned))["parts"].empty());
}

TEST(OperatorReport, ReplacesBytesThatAreNoText) {
  LearnedOperator learned = some_operator();
  learned.factor = "a\xff";
  EXPECT_EQ(nlohmann::json::parse(operator_json(learned))["factor"], "a\xef\xbf\xbd");
}

// Unknown values are null, not 0.
TEST(OperatorReport, HasNoErrorsOfNoCases) {
  LearnedOperator learned = some_operator();
  learned.parts[0].cases.clear();
  EXPECT_TRUE(nlohmann::json::parse(operator_json(learned))["parts"].at(0)["marginal_kl"]["median"].is_null());
}

}  // namespace
}  // namespace fovea::ep
