// SPDX-License-Identifier: Apache-2.0
#include "fovea/ep/language/formula.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "fovea/base/error.h"
#include "fovea/ep/language/compile.h"

namespace fovea::ep {
namespace {

using ::testing::HasSubstr;

io::Table table() {
  io::Table made("people.csv", {"y", "age", "town", "old"});
  const std::vector<std::vector<std::string_view>> rows = {
      {"1", "20", "Ulm", "false"}, {"3", "30", "Bonn", "true"}, {"5", "40", "Ulm", "true"}, {"", "50", "Bonn", "true"}};
  for (std::size_t i = 0; i < rows.size(); ++i) made.add_row(rows[i], static_cast<std::int64_t>(i) + 2);
  return made;
}

std::string model(std::string_view formula, ResponseFamily family = ResponseFamily::kNormal) {
  return model_of_formula(formula, family, whole_rows(formula, table()));
}

/// The number of unknown numbers of the model of a formula, which must compile.
std::size_t unknown(std::string_view formula, ResponseFamily family = ResponseFamily::kNormal) {
  const io::Table whole = whole_rows(formula, table());
  return compile_model(parse_model(model_of_formula(formula, family, whole), "m"), {.table = &whole})
      .program.parameter_count();
}

TEST(Formula, WritesAModel) {
  EXPECT_EQ(model("y ~ age"),
            "b_age ~ normal(0, 0.5)\n"
            "centre ~ normal(3, 5)\n"
            "intercept = centre - b_age * 30\n"
            "sigma ~ exponential(0.5)\n"
            "y ~ normal(centre + b_age * (age - 30), sigma)\n");
  EXPECT_EQ(model("y ~ age - 1", ResponseFamily::kPoisson),
            "b_age ~ normal(0, 0.25)\ny ~ poisson_log(b_age * (age - 30))\n");
}

TEST(Formula, CompilesAllKindsOfTerms) {
  EXPECT_EQ(unknown("y ~ 1"), 2U);
  EXPECT_EQ(unknown("y ~ age + log(age) + I(age ^ 2)"), 5U);
  EXPECT_EQ(unknown("y ~ age * old"), 5U);
  EXPECT_EQ(unknown("y ~ age:old"), 3U);
  EXPECT_EQ(unknown("y ~ town"), 3U);
  EXPECT_EQ(unknown("y ~ age + (1 | town)"), 3U + 1 + 2);
  EXPECT_EQ(unknown("y ~ age + (1 + age | town)"), 3U + 2 * (1 + 2));
  EXPECT_EQ(unknown("y ~ age + (age - 1 | town)"), 3U + 1 + 2);
  EXPECT_EQ(unknown("y ~ age", ResponseFamily::kStudent), 4U);
  EXPECT_EQ(unknown("y ~ age", ResponseFamily::kNegativeBinomial), 3U);
  EXPECT_EQ(unknown("old ~ age", ResponseFamily::kBernoulli), 2U);
}

TEST(Formula, PutsCutpointsBetweenRanks) {
  const auto ranked = [](std::vector<std::string_view> ranks) {
    io::Table made("t.csv", {"y", "x"});
    for (std::size_t i = 0; i < ranks.size(); ++i)
      made.add_row(std::vector<std::string_view>{ranks[i], i % 2 == 0 ? "1" : "3"}, static_cast<std::int64_t>(i) + 2);
    return made;
  };
  const io::Table good = ranked({"1", "3", "2", "1"});
  const std::string text = model_of_formula("y ~ x", ResponseFamily::kOrdered, good);
  EXPECT_THAT(text, HasSubstr("cuts ~ plate(2)\ncut[cuts] ~ ordered(normal(0, 5))\n"
                              "y ~ ordered_logistic(cuts, b_x * (x - 2), cut[cuts])\n"));
  EXPECT_EQ(compile_model(parse_model(text, "m"), {.table = &good}).program.parameter_count(), 3U);
  for (const char* wrong : {"0", "1.5", "low", "1e9"})
    EXPECT_THROW(model_of_formula("y ~ x", ResponseFamily::kOrdered, ranked({"1", wrong, "2"})), InputError) << wrong;
  EXPECT_THROW(model_of_formula("y ~ x", ResponseFamily::kOrdered, ranked({"1", "1", "1"})), InputError);
}

// A column may be called like a variable that the model needs.
TEST(Formula, LeavesTheNamesOfColumnsAlone) {
  io::Table made("t.csv", {"y", "sigma", "centre"});
  for (const auto& row : std::vector<std::vector<std::string_view>>{{"1", "2", "3"}, {"2", "4", "7"}, {"5", "5", "1"}})
    made.add_row(row, 2);
  const std::string text = model_of_formula("y ~ sigma + centre", ResponseFamily::kNormal, made);
  EXPECT_THAT(text, HasSubstr("sigma_ ~ exponential"));
  EXPECT_EQ(compile_model(parse_model(text, "m"), {.table = &made}).program.parameter_count(), 4U);
}

TEST(Formula, LeavesOutRowsWithMissingCells) {
  EXPECT_EQ(whole_rows("y ~ age", table()).row_count(), 3U);
  EXPECT_EQ(whole_rows("age ~ town", table()).row_count(), 4U);
  EXPECT_EQ(whole_rows("age ~ towny", table()).row_count(), 4U);
}

TEST(Formula, SaysWhatIsWrong) {
  const auto complaint = [](std::string_view formula) -> std::string {
    try {
      model(formula);
    } catch (const std::exception& error) {
      return error.what();
    }
    return "nothing was thrown";
  };
  EXPECT_THAT(complaint("y ~ agee"), HasSubstr("no column 'agee'"));
  EXPECT_THAT(complaint("y ~ agee"), HasSubstr("Did you mean 'age'?"));
  EXPECT_THAT(complaint("z ~ age"), HasSubstr("no column 'z'"));
  EXPECT_THAT(complaint("y ~ (1 | twn)"), HasSubstr("no column 'twn'"));
  EXPECT_THAT(complaint("y ~ age - town"), HasSubstr("only the intercept can be left out"));
  EXPECT_THAT(complaint("y ~ log(age - 20)"), HasSubstr("is not a number in all rows"));
  EXPECT_THAT(complaint("y ~ log(age"), HasSubstr("was expected"));
  EXPECT_THAT(complaint("y"), HasSubstr("is not a formula"));
}

TEST(Formula, IsOneStatement) {
  EXPECT_TRUE(is_formula("y ~ x + (1 | g)"));
  EXPECT_FALSE(is_formula("m ~ normal(0, 1); y ~ normal(m, 1)"));
  EXPECT_FALSE(is_formula("m ~ normal(0, 1)\ny ~ normal(m, 1)"));
  EXPECT_FALSE(is_formula("model.fov"));
}

}  // namespace
}  // namespace fovea::ep
