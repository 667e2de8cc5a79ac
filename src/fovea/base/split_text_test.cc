// SPDX-License-Identifier: Apache-2.0
#include "fovea/base/split_text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace fovea {
namespace {

using ::testing::ElementsAre;

TEST(SplitTextTest, PiecesAreTrimmed) {
  EXPECT_THAT(split_text(" a , b c,d ", ','), ElementsAre("a", "b c", "d"));
  EXPECT_THAT(split_text("a,,", ','), ElementsAre("a", "", ""));
  EXPECT_THAT(split_text("", ','), ElementsAre(""));
}

TEST(SplitTextTest, ParenthesesAndQuotesAreSignsLikeOthers) {
  EXPECT_THAT(split_text("(|a(|\"|", '|'), ElementsAre("(", "a(", "\"", ""));
}

TEST(SplitExpressionTest, SeparatorsInParenthesesStay) {
  EXPECT_THAT(split_expression("f(a, b), g(h(c, d), e)", ','), ElementsAre("f(a, b)", "g(h(c, d), e)"));
}

TEST(SplitExpressionTest, SeparatorsInQuotesStay) {
  EXPECT_THAT(split_expression(R"x( "a, b" , f("c)", d) )x", ','), ElementsAre(R"("a, b")", R"x(f("c)", d))x"));
  EXPECT_THAT(split_expression(R"("a ""b"", c",d)", ','), ElementsAre(R"("a ""b"", c")", "d"));
}

TEST(SplitExpressionTest, SignsInQuotesAreNotFound) {
  const std::string_view text = R"("a:b":c:"d:e")";
  EXPECT_EQ(find_in_expression(text, ':'), 5);
  EXPECT_EQ(find_last_in_expression(text, ':'), 7);
  EXPECT_EQ(find_in_expression(R"("a:b")", ':'), std::string_view::npos);
  EXPECT_EQ(find_last_in_expression(R"("a:b")", ':'), std::string_view::npos);
}

TEST(UnquotedTest, WholeNamesAlone) {
  EXPECT_EQ(unquoted(" a b "), "a b");
  EXPECT_EQ(unquoted(R"( "a, b" )"), "a, b");
  EXPECT_EQ(unquoted(R"("say ""a"" ")"), R"(say "a" )");
  EXPECT_EQ(unquoted(R"("")"), "");
  for (const char* text : {R"(")", R"("a)", R"(a")", R"(a"b")", R"("a"b")", R"("a" "b")", R"(""")"})
    EXPECT_EQ(unquoted(text), std::nullopt) << text;
}

TEST(UnquotedTest, UndoesQuoting) {
  EXPECT_EQ(quoted_if_needed("a b"), "a b");
  EXPECT_EQ(quoted_if_needed("a,b"), R"("a,b")");
  for (const char* name : {"", "a", " a", "a\"b", "\"", "f(x)", "a+b", "a:b", "a@b"})
    EXPECT_EQ(unquoted(quoted_if_needed(name)), name);
}

TEST(TrimmedTest, LeavesInnerBlanks) {
  EXPECT_EQ(trimmed("  a b "), "a b");
  EXPECT_EQ(trimmed("   "), "");
}

}  // namespace
}  // namespace fovea
