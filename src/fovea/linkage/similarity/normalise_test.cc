// SPDX-License-Identifier: Apache-2.0
#include "fovea/linkage/similarity/normalise.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "fovea/base/utf8.h"
#include "tests/support/expect_error.h"

namespace fovea::linkage {
namespace {

TEST(NormaliseTest, CaseAccentsPunctuationAndBlanks) {
  EXPECT_EQ(normalised("  Núñez-O'BRIEN, Łukasz"), "nunez o brien lukasz");
  EXPECT_EQ(normalised("J. R. R.\t\n Tolkien (1892)"), "j r r tolkien 1892");
  EXPECT_EQ(normalised("Straße ÆRØ Þór Œuvre"), "strasse aero thor oeuvre");
  EXPECT_EQ(normalised("İstanbul ISPARTA ılık"), "istanbul isparta ilik");
  EXPECT_EQ(normalised("ΣΊΣΥΦΟΣ Ёлка"), "σισυφοσ елка");
  EXPECT_EQ(normalised("e\u0301 \u00E9"), "e e");
  EXPECT_EQ(normalised("ﬁne № Ｆ１ x²"), "fine no f1 x2");
  EXPECT_EQ(normalised("a\u00ADb c\u200Dd"), "ab cd");    // soft hyphen and joiner are not seen
  EXPECT_EQ(normalised("a\u00A0b、c—d€e"), "a b c d e");  // no-break space, signs
  EXPECT_EQ(normalised("漢字 शिव שָׁלוֹם"), "漢字 शिव שלום");
}

TEST(NormaliseTest, NothingIsLeftOfTextWithoutLettersAndDigits) {
  for (const char* text : {"", "   ", "-", ". ,;'\"", "\u0301", "€ —"}) EXPECT_EQ(normalised(text), "") << text;
}

TEST(NormaliseTest, BytesThatAreNoUtf8AreReplaced) {
  EXPECT_EQ(normalised("M\xFCller"), "m\uFFFDller");
  EXPECT_EQ(normalised("\xED\xA0\x80"), "\uFFFD\uFFFD\uFFFD");
  EXPECT_EQ(normalised("\xC3"), "\uFFFD");
}

TEST(NormaliseTest, IsIdempotentForEveryCodePoint) {
  for (char32_t c = 0; c <= 0x10FFFF; ++c) {
    if (c >= 0xD800 && c <= 0xDFFF) continue;
    std::string text = "x";
    append_utf8(c, text);
    const std::string once = normalised(text + "y");
    ASSERT_EQ(normalised(once), once) << std::uint32_t{c};
  }
}

TEST(NormaliseTest, TokensAreWordsInOrder) {
  EXPECT_THAT(tokens("The  Cat, the HAT!"), ElementsAre("the", "cat", "the", "hat"));
  EXPECT_THAT(tokens("x"), ElementsAre("x"));
  EXPECT_THAT(tokens(" - "), IsEmpty());
}

}  // namespace
}  // namespace fovea::linkage
