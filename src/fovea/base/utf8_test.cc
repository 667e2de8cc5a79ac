// SPDX-License-Identifier: Apache-2.0
#include "fovea/base/utf8.h"

#include <gtest/gtest.h>

namespace fovea {
namespace {

TEST(Utf8Test, EveryCodePointSurvivesARoundTrip) {
  for (char32_t c = 0; c <= 0x10FFFF; ++c) {
    if (c >= 0xD800 && c <= 0xDFFF) continue;
    std::string text;
    append_utf8(c, text);
    const Character read = first_character(text + "x");
    ASSERT_EQ(read.code_point, c);
    ASSERT_EQ(read.size, text.size());
  }
}

TEST(Utf8Test, BytesThatAreNoUtf8AreCharactersOfTheirOwn) {
  for (std::string_view text : {"\x80", "\xFF", "\xC0\x80", "\xE0\x80\x80", "\xF0\x80\x80\x80", "\xED\xA0\x80",
                                "\xF4\x90\x80\x80", "\xC3", "\xE2\x82", "\xC3(", "\xF5\x80\x80\x80"}) {
    const Character read = first_character(text);
    EXPECT_EQ(read.code_point, kRawByte) << ::testing::PrintToString(text);
    EXPECT_EQ(read.size, 1u);
  }
  EXPECT_EQ(count_characters("a\xFFé\xC3"), 4u);
}

TEST(Utf8Test, CharactersAreCountedAndCut) {
  EXPECT_EQ(count_characters(""), 0u);
  EXPECT_EQ(count_characters("héß€𝄞"), 5u);
  EXPECT_EQ(bytes_of_characters("héß€𝄞", 3), 5u);
  EXPECT_EQ(bytes_of_characters("hé", 9), 3u);
}

TEST(Utf8Test, LowerCaseFollowsUnicode) {
  const std::pair<char32_t, char32_t> pairs[] = {
      {U'A', U'a'}, {U'Z', U'z'}, {U'[', U'['}, {U'É', U'é'}, {U'×', U'×'},   {U'Ÿ', U'ÿ'},
      {U'Ł', U'ł'}, {U'ł', U'ł'}, {U'Ž', U'ž'}, {U'ž', U'ž'}, {U'İ', U'i'},   {U'ĸ', U'ĸ'},
      {U'Ά', U'ά'}, {U'Ό', U'ό'}, {U'Ώ', U'ώ'}, {U'Σ', U'σ'}, {U'Ё', U'ё'},   {U'Я', U'я'},
      {U'я', U'я'}, {U'Ӂ', U'ӂ'}, {U'Ա', U'ա'}, {U'Ạ', U'ạ'}, {U'Ａ', U'ａ'}, {U'漢', U'漢'}};
  for (const auto& [capital, lower] : pairs) EXPECT_EQ(lower_case(capital), lower) << std::uint32_t{capital};
  EXPECT_EQ(lower_case(kRawByte), kRawByte);
}

TEST(Utf8Test, LowerCaseIsIdempotent) {
  for (char32_t c = 0; c <= 0x10FFFF; ++c) ASSERT_EQ(lower_case(lower_case(c)), lower_case(c)) << std::uint32_t{c};
}

TEST(Utf8Test, ClassesTellCapitalsLettersDigitsAndSigns) {
  for (char32_t c : std::u32string_view(U"AZÉЯΣ")) EXPECT_EQ(classify(c), CharacterClass::kCapital) << std::uint32_t{c};
  for (char32_t c : std::u32string_view(U"azéßя漢あªµ"))
    EXPECT_EQ(classify(c), CharacterClass::kLetter) << std::uint32_t{c};
  for (char32_t c : std::u32string_view(U"09５")) EXPECT_EQ(classify(c), CharacterClass::kDigit) << std::uint32_t{c};
  for (char32_t c : std::u32string_view(U"@[`{/:«×÷–”€、（"))
    EXPECT_EQ(classify(c), CharacterClass::kOther) << std::uint32_t{c};
  EXPECT_EQ(classify(kRawByte), CharacterClass::kOther);
}

}  // namespace
}  // namespace fovea
