// SPDX-License-Identifier: Apache-2.0
#include "fovea/linkage/generate/syllables.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace fovea::linkage {
namespace {

std::string words_of(std::uint64_t language) {
  const Syllables syllables{Random(language)};
  Random random(7);
  std::string text;
  for (int i = 0; i < 100; ++i) syllables.append(1 + i % 3, random, text += ' ');
  return text;
}

TEST(SyllablesTest, WordsAreLowerCaseAndOfTheirLength) {
  const std::string text = words_of(1);
  EXPECT_TRUE(std::all_of(text.begin(), text.end(), [](char c) { return c == ' ' || (c >= 'a' && c <= 'z'); }));
  const auto is_vowel = [](char c) { return std::string_view("aeiou").find(c) != std::string_view::npos; };
  EXPECT_EQ(std::count_if(text.begin(), text.end(), is_vowel), 34 * 1 + 33 * 2 + 33 * 3);
}

TEST(SyllablesTest, LanguagesDiffer) {
  EXPECT_EQ(words_of(1), words_of(1));
  EXPECT_NE(words_of(1), words_of(2));
}

}  // namespace
}  // namespace fovea::linkage
