// SPDX-License-Identifier: Apache-2.0
#include "fovea/learn/match/match_weights.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>
#include <string>
#include <vector>

#include "fovea/base/error.h"
#include "tests/support/expect_error.h"

namespace fovea {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using testing::message_of;

const std::vector<std::string> kNames = {"name", "date of \"birth\""};
const std::vector<std::size_t> kLevels = {3, 2};
const MatchWeights kWeights{.prior_log_odds = -4.1, .weights = {{0, -1.0 / 3, 2e-17}, {.5, 7}}};

MatchWeights read(const std::string& json) { return MatchWeights::from_json(json, kNames, kLevels, "people.er"); }

std::string refusal(const std::string& json) {
  return message_of<InputError>([&] { read(json); });
}

TEST(MatchWeights, ScoreIsTheSum) {
  EXPECT_DOUBLE_EQ(kWeights.score(std::vector<Level>{1, 0}), -4.1 - 1.0 / 3 + .5);
  EXPECT_DOUBLE_EQ(kWeights.score(std::vector<Level>{0, 1}), -4.1 + 7);
}

TEST(MatchWeights, ComeBackFromJsonToTheBit) {
  const MatchWeights copy = read(kWeights.to_json(kNames));
  EXPECT_EQ(copy.prior_log_odds, kWeights.prior_log_odds);
  EXPECT_EQ(copy.weights, kWeights.weights);
}

TEST(MatchWeights, RefuseWhatIsNoSuchJson) {
  const std::string json = kWeights.to_json(kNames);
  for (const std::string& bad :
       {std::string(), std::string("[]"), std::string("{}"), json.substr(0, json.size() / 2),
        std::string(R"({"prior_log_odds": "high", "comparisons": [{}, {}]})"),
        std::string(R"({"prior_log_odds": 0, "comparisons": [{"name": "name"}, {}]})"),
        std::string(R"({"prior_log_odds": 0, "comparisons": [{"name": "name", "weights": [0, null, 1]}, {}]})")})
    EXPECT_THAT(refusal(bad), AllOf(HasSubstr("people.er: not the match weights"), HasSubstr("Learn"))) << bad;
}

TEST(MatchWeights, RefuseThoseOfOtherComparisons) {
  EXPECT_THAT(refusal(R"({"prior_log_odds": 0, "comparisons": []})"), HasSubstr("of 0 comparisons, not 2"));
  const MatchWeights longer{.weights = {{0, 1, 2, 3}, {0, 1}}};
  EXPECT_THAT(refusal(longer.to_json(kNames)), HasSubstr("\"name\" has 4 match weights, not 3"));
  const std::vector<std::string> others = {"city", kNames[1]};
  EXPECT_THAT(refusal(kWeights.to_json(others)),
              AllOf(HasSubstr("people.er"), HasSubstr("\"city\""), HasSubstr("\"name\"")));
}

TEST(MatchWeights, MisuseIsABug) {
  EXPECT_THROW(kWeights.score(std::vector<Level>{1}), InternalError);
  EXPECT_THROW(kWeights.score(std::vector<Level>{3, 0}), InternalError);
  EXPECT_THROW(kWeights.to_json({}), InternalError);
  EXPECT_THROW(read("not parsed"), InputError);
  EXPECT_THROW(MatchWeights::from_json("{}", kNames, {}, ""), InternalError);
  MatchWeights infinite = kWeights;
  infinite.weights[1][1] = std::numeric_limits<double>::infinity();
  EXPECT_THROW(infinite.to_json(kNames), InternalError);
}

}  // namespace
}  // namespace fovea
