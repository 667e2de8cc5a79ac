// SPDX-License-Identifier: Apache-2.0
#include "fovea/synthesis/job/table_rules.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "fovea/base/error.h"
#include "tests/support/expect_error.h"

namespace fovea::synthesis {
namespace {

/// Rows whose class is "it's\nso" where x > 30 and colour is red.
RuleExamples coloured() {
  RuleExamples examples = {
      .table = {.columns = {{.name = "x"}, {.name = "colour", .is_numeric = false, .names = {"red", "blue"}}},
                .row_count = 120},
      .classes = {"no", "it's\nso"}};
  for (int i = 0; i < 120; ++i) {
    examples.table.columns[0].numbers.push_back(i % 60);
    examples.table.columns[1].categories.push_back(i % 3 == 0 ? 1 : 0);
    examples.class_of.push_back(i % 60 > 30 && i % 3 != 0 ? 1 : 0);
  }
  return examples;
}

LearnedTableRules learned() {
  TableRulesJob job;
  job.learning.effort = .2;
  job.options.only = "it's\nso";
  return learn_rules(coloured(), "y", job, {.threads = 1});
}

TEST(TableRulesTest, AreReadAgainAsTheyWere) {
  const LearnedTableRules rules = learned();
  const TableRules again = learned_from_json(rules.json()).rules;
  const RuleTable rows = coloured().table;
  for (std::size_t row = 0; row < rows.row_count; ++row)
    EXPECT_EQ(again.class_of(rows, row), rules.rules.class_of(rows, row)) << row;
  EXPECT_EQ(rules.rules.training_error, 0);
}

TEST(TableRulesTest, QuoteClassesInEveryLanguage) {
  const LearnedTableRules rules = learned();
  EXPECT_THAT(rules.text(RuleLanguage::kSql), ::testing::StartsWith("-- y is it's so\nWHERE "));
  EXPECT_THAT(rules.text(RuleLanguage::kPython), HasSubstr("return \"it's\\nso\"\n"));
}

TEST(TableRulesTest, RefuseReportsThatNoRulesWrote) {
  const auto refusal = [](const std::function<void(nlohmann::json&)>& change) {
    nlohmann::json report = nlohmann::json::parse(learned().json());
    change(report);
    return testing::message_of<InputError>([&] { learned_from_json(report.dump()); });
  };
  const auto first_atom = [](nlohmann::json& report) -> nlohmann::json& {
    return report["rules"][0]["disjuncts"][0][0];
  };
  EXPECT_THAT(refusal([&](auto& r) { first_atom(r)["kind"] = 9; }), HasSubstr("a comparison that no rule has"));
  EXPECT_THAT(refusal([&](auto& r) { first_atom(r)["sum"][0]["column"] = 2; }),
              HasSubstr("a column that is not there"));
  EXPECT_THAT(refusal([&](auto& r) { first_atom(r)["sum"][0]["category"] = 7; }),
              HasSubstr("a category that is not there"));
  EXPECT_THAT(refusal([&](auto& r) { r["otherwise"] = "?"; }), HasSubstr("a class that is not there"));
  EXPECT_THAT(refusal([&](auto& r) { r.erase("rules"); }), HasSubstr("not a report of rules"));
}

}  // namespace
}  // namespace fovea::synthesis
