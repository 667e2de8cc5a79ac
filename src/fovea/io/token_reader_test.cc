// SPDX-License-Identifier: Apache-2.0
#include "fovea/io/token_reader.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "tests/support/expect_error.h"

namespace fovea::io {
namespace {

using Tokens = std::vector<std::string>;

constexpr TokenRules kRich = {.punctuation = "{}();", .line_comment = "//", .block_comments = true, .quotes = true};

TokenReader reader_of_tokens(std::string_view text, const TokenRules& rules = {}) {
  return TokenReader(ByteSource::from_memory(text, "memory"), rules);
}

Tokens tokens_of(std::string_view text, const TokenRules& rules = {}) {
  TokenReader reader = reader_of_tokens(text, rules);
  Tokens tokens;
  while (reader.next()) tokens.emplace_back(reader.token());
  return tokens;
}

std::string token_refusal(std::string_view text, const TokenRules& rules = {}) {
  return message_of<InputError>([&] { tokens_of(text, rules); });
}

TEST(TokenReaderTest, SplitsAtWhiteSpaceAndPunctuation) {
  EXPECT_EQ(tokens_of(" a\tb\r\n\nc;{1}//d \"e"), (Tokens{"a", "b", "c;{1}//d", "\"e"}));
  EXPECT_EQ(tokens_of("a{b}(c);d-e", kRich), (Tokens{"a", "{", "b", "}", "(", "c", ")", ";", "d-e"}));
  EXPECT_EQ(tokens_of(""), Tokens{});
  EXPECT_EQ(tokens_of(" \n\t"), Tokens{});
}

TEST(TokenReaderTest, SkipsCommentsThatStartATokenOnly) {
  EXPECT_EQ(tokens_of("a // b\nc /* d\n * e */f/*/ */ g/h//i\n//", kRich), (Tokens{"a", "c", "f/*/", "*/", "g/h//i"}));
  EXPECT_EQ(tokens_of("/* / ** **/a // no end", kRich), (Tokens{"a"}));
}

TEST(TokenReaderTest, QuotesMakeOneToken) {
  EXPECT_EQ(tokens_of(R"("a b" "" "x\"y\\" "c\n{" d"e")", kRich), (Tokens{"a b", "", "x\"y\\", "c\\n{", "d", "e"}));
  TokenReader reader = reader_of_tokens("\"{\" {", kRich);
  EXPECT_FALSE(reader.consume_if('{'));
  EXPECT_TRUE(reader.next());
  EXPECT_TRUE(reader.is_quoted());
  EXPECT_TRUE(reader.consume_if('{'));
  EXPECT_FALSE(reader.is_quoted());
}

TEST(TokenReaderTest, TokensMayCrossTheBuffer) {
  std::string text;
  Tokens expected;
  for (std::size_t i = 0; i < 60000; ++i) {
    expected.push_back(std::string(i % 7 + 1, static_cast<char>('a' + i % 26)));
    text += expected.back() + (i % 11 == 0 ? "\n" : " ");
  }
  EXPECT_EQ(tokens_of(text), expected);
}

TEST(TokenReaderTest, KnowsTheLine) {
  TokenReader reader = reader_of_tokens("a\n\nb /*\n*/ // x\n c", kRich);
  for (const std::uint64_t line : {1u, 3u, 5u}) {
    ASSERT_TRUE(reader.next());
    EXPECT_EQ(reader.location().line, line);
    reader.back();
    ASSERT_TRUE(reader.next());
    EXPECT_EQ(reader.location().line, line);
  }
  EXPECT_FALSE(reader.next());
}

TEST(TokenReaderTest, RefusesWhatIsNoText) {
  EXPECT_THAT(token_refusal(std::string_view("a\nb\0c", 5)), AllOf(StartsWith("memory:2: "), HasSubstr("NUL")));
  EXPECT_THAT(token_refusal(fmt::format("\n{:x>4097}", "")),
              AllOf(StartsWith("memory:2: "), HasSubstr("more than 4096 bytes")));
  EXPECT_EQ(tokens_of(std::string(TokenReader::kMaxTokenBytes, 'x')).size(), 1u);
  EXPECT_THAT(token_refusal("a \"b\n\"", kRich), AllOf(StartsWith("memory:1: "), HasSubstr("quotes that do not end")));
  EXPECT_THAT(token_refusal(fmt::format("\"{:x>4097}", ""), kRich), HasSubstr("more than 4096"));
  EXPECT_THAT(token_refusal("a\n/* b\n", kRich),
              AllOf(StartsWith("memory:2: "), HasSubstr("a comment that does not end")));
}

TEST(TokenReaderTest, ReadsWholeNumbersStrictly) {
  EXPECT_EQ(reader_of_tokens("007").integer("the count", 0, 10), 7u);
  EXPECT_EQ(reader_of_tokens("18446744073709551615").integer("the count", 0, UINT64_MAX), UINT64_MAX);
  for (const char* bad : {"-1", "+1", "1.0", "1e3", "x", "11", "0", "99999999999999999999999", "5,"}) {
    TokenReader reader = reader_of_tokens(bad);
    EXPECT_THAT(message_of<InputError>([&] { reader.integer("the count", 1, 10); }),
                HasSubstr(fmt::format("memory:1: the count is '{}'; it must be a whole number from 1 to 10", bad)));
  }
}

TEST(TokenReaderTest, ReadsNumbersStrictly) {
  EXPECT_EQ(reader_of_tokens("+1.5e-3").number("p"), 1.5e-3);
  EXPECT_EQ(reader_of_tokens("-.5").number("p"), -.5);
  for (const char* bad : {"nan", "inf", "1e999", "1,5", "0x1", "--1", "+-1", "1f"}) {
    TokenReader reader = reader_of_tokens(bad);
    EXPECT_THAT(message_of<InputError>([&] { reader.number("p"); }), HasSubstr("must be a finite number")) << bad;
  }
}

TEST(TokenReaderTest, SaysWhatIsMissingAndWhatIsTooMuch) {
  TokenReader reader = reader_of_tokens("1\n2");
  reader.next();
  EXPECT_THAT(message_of<InputError>([&] { reader.expect_end("the end"); }), StartsWith("memory:2: '2' after the end"));
  EXPECT_THAT(message_of<InputError>([&] { reader.expect("a cat"); }),
              StartsWith("memory:2: the file ends where a cat should be"));
  reader.expect_end("everything");
}

TEST(TokenReaderTest, QuotesForMessagesArePrintableAndShort) {
  EXPECT_EQ(quoted_for_message("a\x01\xff"),
            "'a?"
            "?'");
  EXPECT_EQ(quoted_for_message(std::string(50, 'a')), fmt::format("'{:a>40}...'", ""));
}

}  // namespace
}  // namespace fovea::io
