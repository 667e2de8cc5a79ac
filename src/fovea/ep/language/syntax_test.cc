// SPDX-License-Identifier: Apache-2.0
#include "fovea/ep/language/syntax.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "fovea/base/error.h"

namespace fovea::ep {
namespace {

using ::testing::HasSubstr;

std::string complaint_of(std::string_view text) {
  try {
    parse_model(text, "m.fov");
  } catch (const InputError& error) {
    return error.what();
  }
  ADD_FAILURE() << "nothing was thrown";
  return {};
}

TEST(Syntax, ReadsStatements) {
  const ModelSyntax model = parse_model(
      "# eight schools\n"
      "mu ~ normal(0, 10);  tau ~ half_cauchy(5)\n\n"
      "theta[school] ~ normal(mu,\n   tau)\n"
      "y[row] ~ normal(theta[school[row]], sigma[row]) # seen\n"
      "twice = 2 * mu -\n -3e-1 ^ 2",
      "m.fov");
  ASSERT_EQ(model.statements.size(), 5U);
  EXPECT_EQ(text_of(model.statements[1].value), "half_cauchy(5)");
  EXPECT_EQ(model.statements[1].place.line, 2U);
  EXPECT_EQ(model.statements[1].place.column, 22U);
  EXPECT_EQ(text_of(model.statements[2].subject), "theta[school]");
  EXPECT_EQ(text_of(model.statements[3].value), "normal(theta[school[row]], sigma[row])");
  EXPECT_TRUE(model.statements[3].is_random);
  EXPECT_FALSE(model.statements[4].is_random);
  EXPECT_EQ(text_of(model.statements[4].value), "((2 * mu) - -((0.3 ^ 2)))");
}

TEST(Syntax, BindsOperatorsAsUsual) {
  const auto text = [](const std::string& formula) {
    return text_of(parse_model("x = " + formula, "m").statements[0].value);
  };
  EXPECT_EQ(text("a - b - c"), "((a - b) - c)");
  EXPECT_EQ(text("a / b * c"), "((a / b) * c)");
  EXPECT_EQ(text("a + b * c ^ d ^ e"), "(a + (b * (c ^ (d ^ e))))");
  EXPECT_EQ(text("-a ^ 2"), "-((a ^ 2))");
  EXPECT_EQ(text("2 ^ -1"), "(2 ^ -1)");
  EXPECT_EQ(text("(a + b) * f(c, d[1, k - 1])"), "((a + b) * f(c, d[1, (k - 1)]))");
  EXPECT_EQ(text("\"a column, too\" + 1"), "(a column, too + 1)");
}

TEST(Syntax, SaysWhereItIsWrong) {
  EXPECT_EQ(complaint_of("mu ~ normal(0, 10\n"),
            "m.fov:2: column 1: the end of the model stands where , or ) was expected. See `fovea fit --help` for the "
            "language of models");
  EXPECT_THAT(complaint_of("\n  mu normal(0, 1)"),
              HasSubstr("m.fov:2: column 6: 'normal' stands where ~ or = was expected"));
  EXPECT_THAT(complaint_of("mu ~ 3"), HasSubstr("m.fov:1: column 6: '3' is not a distribution"));
  EXPECT_THAT(complaint_of("mu ~ normal(0 1)"), HasSubstr("column 15: '1' stands where , or ) was expected"));
  EXPECT_THAT(complaint_of("mu = 1 2"), HasSubstr("'2' stands where the end of the line, or ; was expected"));
  EXPECT_THAT(complaint_of("mu = 1 +"),
              HasSubstr("the end of the model stands where a number, a name or ( was expected"));
  EXPECT_THAT(complaint_of("mu = 1 $ 2"), HasSubstr("column 8: unexpected character '$'"));
  EXPECT_THAT(complaint_of("mu = 1e999"), HasSubstr("'1e999' is beyond what a number can be"));
  EXPECT_THAT(complaint_of("\"mu = 1"), HasSubstr("a name in quotes does not end"));
  EXPECT_THAT(complaint_of("3 ~ normal(0, 1)"), HasSubstr("'3' stands where a name"));
  EXPECT_THAT(complaint_of("x = " + std::string(100'000, '(')), HasSubstr("nested too deeply"));
  EXPECT_THAT(complaint_of("x = " + std::string(100'000, '-')), HasSubstr("nested too deeply"));
}

}  // namespace
}  // namespace fovea::ep
