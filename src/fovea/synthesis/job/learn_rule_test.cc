// SPDX-License-Identifier: Apache-2.0
#include "fovea/synthesis/job/learn_rule.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <nlohmann/json.hpp>

#include "fovea/base/error.h"
#include "tests/support/expect_error.h"

namespace fovea::synthesis {
namespace {

/// Rows of x and y from -3 to 3, labelled by x <= y.
LabelledRows ordered_pairs() {
  LabelledRows rows({"x", "y"});
  for (std::int64_t x = -3; x <= 3; ++x)
    for (std::int64_t y = -3; y <= 3; ++y) rows.add(std::array{x, y}, x <= y);
  return rows;
}

RuleJob job_of(int terms, int atoms, std::string budget) {
  RuleJob job = {.search = {.terms = terms, .atoms = atoms}};
  job.options.budget = std::move(budget);
  return job;
}

TEST(LearnRuleTest, FindsARuleForRowsInMemory) {
  const LearnedRule rule = learn_rule(ordered_pairs(), job_of(1, 1, "1e6 transitions"), {});
  EXPECT_TRUE(rule.is_found);
  EXPECT_EQ(rule.text(), "x <= y");
  EXPECT_EQ(rule.examples, 49u);
  EXPECT_TRUE(rule.wrong_rows.empty());
  EXPECT_THAT(rule.brief(), HasSubstr("restarts; no guarantee"));
  const auto json = nlohmann::json::parse(rule.json());
  EXPECT_EQ(json["formula"], "x <= y");
  EXPECT_EQ(json["transitions"], rule.steps);
  EXPECT_TRUE(json["complete"]);
}

TEST(LearnRuleTest, ReturnsTheNearestFormulaWithTheRowsThatItGetsWrong) {
  LabelledRows rows({"x"});
  for (std::int64_t x = 0; x < 4; ++x) rows.add(std::array{x}, x % 2 == 0);
  rows.add(std::array<std::int64_t, 1>{0}, true);  // as the first row
  const LearnedRule rule = learn_rule(rows, job_of(1, 1, "1e5 transitions"), {});
  EXPECT_FALSE(rule.is_found);
  EXPECT_EQ(rule.examples, 4u);
  ASSERT_EQ(rule.wrong_rows.size(), 1u);
  EXPECT_THAT(rule.wrong_lines, ElementsAre(rule.wrong_rows[0] + 1));
  EXPECT_EQ(nlohmann::json::parse(rule.json())["error_lines"].size(), 1u);
}

TEST(LearnRuleTest, NamesRowsThatContradictEachOther) {
  LabelledRows rows({"x"});
  for (const bool label : {true, false}) rows.add(std::array<std::int64_t, 1>{7}, label);
  EXPECT_THAT(testing::message_of<InfeasibleError>([&] { learn_rule(rows, {}, {}); }),
              HasSubstr("rows 1 and 2 contradict each other: the row 7"));
}

TEST(LearnRuleTest, RefusesLimitsThatItDoesNotHave) {
  EXPECT_THAT(testing::message_of<UsageError>([&] { learn_rule(ordered_pairs(), job_of(1, 1, "5 sweeps"), {}); }),
              HasSubstr("counted in transitions"));
}

}  // namespace
}  // namespace fovea::synthesis
