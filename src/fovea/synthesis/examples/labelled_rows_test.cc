// SPDX-License-Identifier: Apache-2.0
#include "fovea/synthesis/examples/labelled_rows.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "fovea/base/error.h"
#include "fovea/synthesis/examples/generated_formula.h"
#include "tests/support/expect_error.h"

namespace fovea::synthesis {
namespace {

io::Table table_of(const std::vector<std::vector<std::string_view>>& rows,
                   std::vector<std::string> columns = {"x", "y", "holds"}) {
  io::Table table("rows.csv", std::move(columns));
  std::int64_t line = 2;
  for (const auto& row : rows) table.add_row(row, line++);
  return table;
}

TEST(LabelledRowsTest, ReadsIntegersAndLabels) {
  const LabelledRows labelled = labelled_rows(
      table_of({{"1", "-2", "true"}, {"+3", "0", "0"}, {"1", "-2", "TRUE"}, {"9223372036854775807", "4", "1"}}));
  EXPECT_THAT(labelled.names, ElementsAre("x", "y"));
  EXPECT_EQ(labelled.examples.size(), 3u);
  EXPECT_THAT(labelled.rows, ElementsAre(0, 1, 3));
  EXPECT_EQ(labelled.examples.kind(1), ExampleKind::kBad);
  EXPECT_EQ(labelled.examples.row(2)[0], std::numeric_limits<std::int64_t>::max());
}

std::string rows_refusal(const io::Table& table) {
  return message_of<InputError>([&] { labelled_rows(table); });
}

TEST(LabelledRowsTest, RefusesOtherCellsWithTheirPlace) {
  EXPECT_THAT(rows_refusal(table_of({{"1", "2", "1"}, {"1.5", "2", "1"}})), HasSubstr("rows.csv:3: column 1: '1.5'"));
  EXPECT_THAT(rows_refusal(table_of({{"1", "", "1"}})), HasSubstr("column 2: nothing is not an integer"));
  EXPECT_THAT(rows_refusal(table_of({{"1", "9223372036854775808", "1"}})), HasSubstr("does not fit into 64 bits"));
  EXPECT_THAT(rows_refusal(table_of({{"1", "+-2", "1"}})), HasSubstr("'+-2' is not an integer"));
  EXPECT_THAT(rows_refusal(table_of({{"1", "2", "yes"}})), HasSubstr("rows.csv:2: column 3: 'yes' is not a label"));
  EXPECT_THAT(rows_refusal(table_of({})), HasSubstr("no rows"));
  EXPECT_THAT(rows_refusal(table_of({{"1"}}, {"holds"})), HasSubstr("one column only"));
}

TEST(LabelledRowsTest, ConstantsAreTheValuesOfTheRows) {
  const LabelledRows few = labelled_rows(table_of({{"5", "-7", "1"}, {"5", "0", "0"}}));
  EXPECT_THAT(mined_constants(few.examples), ElementsAre(-12, -7, -5, -2, -1, 0, 1, 2, 5, 7, 12));
  ExampleSet many(1);
  for (std::int64_t x = 0; x < 1000; ++x) many.add_good(ExampleSet::Row{x});
  const auto constants = mined_constants(many, 20);
  EXPECT_LE(constants.size(), 20u);
  EXPECT_EQ(constants.front(), -999);
  EXPECT_EQ(constants.back(), 999);
}

TEST(GeneratedFormulaTest, LabelsHalfOfTheRowsTrue) {
  const GeneratedFormula generated = generate_formula({.rows = 200}, Random(1));
  EXPECT_EQ(generated.examples.size(), 200u);
  EXPECT_EQ(generated.examples.errors(generated.formula), 0u);
  std::size_t good = 0;
  for (std::size_t e = 0; e < 200; ++e) good += generated.examples.kind(e) == ExampleKind::kGood;
  EXPECT_EQ(good, 100u);
  EXPECT_EQ(generated.formula, generate_formula({.rows = 200}, Random(1)).formula);
  EXPECT_NE(generated.formula, generate_formula({.rows = 200}, Random(2)).formula);
}

TEST(GeneratedFormulaTest, WritesWhatThereIs) {
  // 9 different rows only.
  EXPECT_LE(generate_formula({.rows = 50, .variables = 2, .values = 1}, Random(1)).examples.size(), 9u);
}

}  // namespace
}  // namespace fovea::synthesis
