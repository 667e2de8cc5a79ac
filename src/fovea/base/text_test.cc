// SPDX-License-Identifier: Apache-2.0
#include "fovea/base/text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <vector>

#include "fovea/base/error.h"
#include "tests/support/expect_error.h"

namespace fovea {
namespace {

TEST(ByteCount, ReadsDecimalAndBinaryUnits) {
  EXPECT_EQ(parse_byte_count("memory-limit", "4GB"), 4'000'000'000u);
  EXPECT_EQ(parse_byte_count("memory-limit", "1.5 MB"), 1'500'000u);
  EXPECT_EQ(parse_byte_count("memory-limit", "2 GiB"), 2u << 30);
  EXPECT_EQ(parse_byte_count("memory-limit", "7B"), 7u);
}

TEST(ByteCount, RefusesWhatIsNoNumberOfBytes) {
  for (const char* text : {"", "4", "GB", "-1GB", "4gb", "4 GB of", "nan GB", "0.5B", "1e30GB", "99999999999 GiB"})
    EXPECT_THROW(parse_byte_count("memory-limit", text), UsageError) << text;
}

TEST(ByteCount, IsWrittenInTheLargestUnit) {
  EXPECT_EQ(byte_count_text(0), "0 B");
  EXPECT_EQ(byte_count_text(999), "999 B");
  EXPECT_EQ(byte_count_text(1.5e9), "1.5 GB");
  EXPECT_EQ(byte_count_text(2e13), "2e+04 GB");
}

}  // namespace

namespace {

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

namespace {

TEST(SuggestTest, NamesTheNearestOrNothing) {
  const std::vector<std::string> names = {"train", "tune", "tag"};
  EXPECT_EQ(suggestion("trian", names), " Did you mean 'train'?");
  EXPECT_EQ(suggestion("tga", names), " Did you mean 'tag'?");
  EXPECT_EQ(suggestion("solve", names), "");
  EXPECT_EQ(suggestion(std::string(100000, 't'), names), "");
  EXPECT_EQ(suggestion("tag", std::vector<std::string>{}), "");
}

TEST(SuggestionTest, MeansItOrSaysNothing) {
  const std::vector<std::string> names = {"x", "ab", "Age"};
  EXPECT_EQ(suggestion("z", names), "");
  EXPECT_EQ(suggestion("ac", names), "");
  EXPECT_EQ(suggestion("X", names), " Did you mean 'x'?");
  EXPECT_EQ(suggestion("AGE", names), " Did you mean 'Age'?");
  EXPECT_EQ(suggestion("Aga", names), " Did you mean 'Age'?");
}

}  // namespace

}  // namespace fovea
