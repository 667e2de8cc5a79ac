// SPDX-License-Identifier: Apache-2.0
#include "fovea/synthesis/rule/rule_formula.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <z3++.h>

namespace fovea::synthesis {
namespace {

constexpr double kNone = RuleColumn::kMissingNumber;

/// age (some missing), height, colour (some missing).
RuleTable people() {
  return {.columns = {{.name = "age", .may_miss = true, .numbers = {30, 31, kNone, 20}},
                      {.name = "the \"height\"", .numbers = {1.5, 1.5, 2, 1.75}},
                      {.name = "colour",
                       .is_numeric = false,
                       .may_miss = true,
                       .categories = {0, 1, 0, -1},
                       .names = {"red", "it's blue"}}},
          .row_count = 4};
}

RuleAtom comparison(RuleAtom::Kind kind, double bound) {
  return {.kind = kind, .sum = {{.column = 0}}, .bound = bound};
}
RuleAtom category(RuleAtom::Kind kind, std::int32_t which) {
  return {.kind = kind, .sum = {{.column = 2, .category = which}}};
}
RuleAtom sum() {
  return {.kind = RuleAtom::Kind::kAbove,
          .sum = {{.column = 0, .coefficient = -.5, .if_missing = 25},
                  {.column = 1, .coefficient = 10},
                  {.column = 2, .category = 0, .coefficient = 2}},
          .bound = 1};
}

std::string rows_of(const RuleAtom& atom) {
  const RuleTable table = people();
  std::string result;
  for (std::size_t row = 0; row < table.row_count; ++row) result += atom.holds(table, row) ? '1' : '0';
  return result;
}

TEST(RuleFormula, ComparesCells) {
  using enum RuleAtom::Kind;
  EXPECT_EQ(rows_of(comparison(kAtMost, 30)), "1001");  // a missing number is neither
  EXPECT_EQ(rows_of(comparison(kAbove, 30)), "0100");
  EXPECT_EQ(rows_of(category(kIs, 0)), "1010");
  EXPECT_EQ(rows_of(category(kIsNot, 0)), "0100");
  EXPECT_EQ(rows_of(category(kIsMissing, -1)), "0001");
  EXPECT_EQ(rows_of(sum()), "1011");  // 2, -.5, 9.5, 7.5
}

RuleFormula all_kinds() {
  using enum RuleAtom::Kind;
  return {.disjuncts = {{comparison(kAtMost, -30.5), category(kIs, 1)},
                        {category(kIsNot, 1), category(kIsMissing, -1)},
                        {sum()}}};
}

TEST(RuleFormula, SpeaksFourLanguages) {
  const RuleTable table = people();
  EXPECT_EQ(text_of(all_kinds(), table, RuleLanguage::kWords),
            "age <= -30.5 and colour is it's blue, or colour is not it's blue and colour is missing, or "
            "-0.5 age (or 25) + 10 the \"height\" + 2 [colour is red] > 1");
  EXPECT_EQ(
      text_of(all_kinds(), table, RuleLanguage::kSql),
      "((\"age\" <= -30.5 AND \"colour\" = 'it''s blue')\n   OR (\"colour\" <> 'it''s blue' AND \"colour\" IS NULL)"
      "\n   OR -0.5 * COALESCE(\"age\", 25) + 10 * \"the \"\"height\"\"\" + 2 * CASE WHEN \"colour\" = 'red' "
      "THEN 1 ELSE 0 END > 1)");
  EXPECT_EQ(text_of(all_kinds(), table, RuleLanguage::kPython),
            "((row[\"age\"] is not None and row[\"age\"] <= -30.5 and row[\"colour\"] == \"it's blue\")\n or "
            "(row[\"colour\"] is not None and row[\"colour\"] != \"it's blue\" and row[\"colour\"] is None)\n or "
            "-0.5 * (row[\"age\"] if row[\"age\"] is not None else 25) + 10 * row[\"the \\\"height\\\"\"] + "
            "2 * (row[\"colour\"] == \"red\") > 1)");
  EXPECT_EQ(text_of({}, table, RuleLanguage::kSql), "1 = 0");
  EXPECT_EQ(text_of({.disjuncts = {{comparison(RuleAtom::Kind::kAbove, 1e-9)}}}, table, RuleLanguage::kSmtLib),
            "(and (not |age is missing|) (> |age| 0.00000000100000000))");
}

// Z3 reads the SMT-LIB text, and says of each row what the formula says.
TEST(RuleFormula, MeansTheSameInSmtLib) {
  const RuleTable table = people();
  for (std::size_t row = 0; row < table.row_count; ++row) {
    z3::context context;
    z3::solver solver(context);
    std::string script =
        "(declare-const |age| Real)(declare-const |the \"height\"| Real)(declare-const |colour| String)"
        "(declare-const |age is missing| Bool)(declare-const |colour is missing| Bool)";
    const RuleColumn &age = table.columns[0], &colour = table.columns[2];
    const auto known = [](bool is_missing) { return is_missing ? std::string("true") : "false"; };
    script += "(assert (= |age is missing| " + known(age.is_missing(row)) + "))(assert (= |colour is missing| " +
              known(colour.is_missing(row)) + "))(assert (= |the \"height\"| " +
              std::to_string(table.columns[1].numbers[row]) + "))";
    if (!age.is_missing(row)) script += "(assert (= |age| " + std::to_string(age.numbers[row]) + "))";
    if (!colour.is_missing(row))
      script += "(assert (= |colour| \"" + colour.names[static_cast<std::size_t>(colour.categories[row])] + "\"))";
    const std::string rule = text_of(all_kinds(), table, RuleLanguage::kSmtLib);
    const bool holds = all_kinds().holds(table, row);
    solver.from_string((script + "(assert " + (holds ? rule : "(not " + rule + ")") + ")").c_str());
    EXPECT_EQ(solver.check(), z3::sat) << row << rule;
    z3::solver other(context);
    other.from_string((script + "(assert " + (holds ? "(not " + rule + ")" : rule) + ")").c_str());
    EXPECT_EQ(other.check(), z3::unsat) << row << rule;
  }
}

}  // namespace
}  // namespace fovea::synthesis
