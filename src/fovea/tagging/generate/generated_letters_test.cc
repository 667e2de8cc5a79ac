// SPDX-License-Identifier: Apache-2.0
#include "fovea/tagging/generate/generated_letters.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "fovea/base/error.h"

namespace fovea::tagging {
namespace {

std::string letters_text(const LettersOptions& options, std::uint64_t seed = 1) {
  const GeneratedLetters letters(options, Random(seed));
  std::string text;
  for (std::uint64_t i = 0; i < letters.word_count(); ++i) letters.append_word(i, text);
  return text;
}

template <class Visit>
void for_each_word(const std::string& text, const Visit& visit) {
  PixelReader reader(io::ByteSource::from_memory(text, "memory"));
  for (AttributeSequence word; reader.next(word);) visit(word);
}

std::string pixels_of(const AttributeSequence& word, std::size_t t) {
  std::string pixels;
  for (std::size_t a = 0; a < word.attribute_count(t); ++a) pixels += word.attribute(t, a).name;
  return pixels;
}

TEST(GeneratedLettersTest, IsAFunctionOfItsOptions) {
  const LettersOptions options{.words = 20};
  EXPECT_EQ(letters_text(options), letters_text(options));
  EXPECT_NE(letters_text(options), letters_text(options, 2));
  EXPECT_NE(letters_text(options), letters_text({.words = 20, .part = 1}));
  const std::string longer = letters_text({.words = 25});
  EXPECT_EQ(longer.substr(0, letters_text(options).size()), letters_text(options))
      << "more words change none before them";
}

TEST(GeneratedLettersTest, WordsAreThoseOfTheVocabulary) {
  const GeneratedLetters letters({}, Random(1));
  std::size_t words = 0;
  for_each_word(letters_text({}), [&](const AttributeSequence& word) {
    std::string spelling;
    for (std::size_t t = 0; t < word.size(); ++t) spelling += word.label(t);
    EXPECT_EQ(std::count(letters.vocabulary().begin(), letters.vocabulary().end(), spelling), 1) << spelling;
    ++words;
  });
  EXPECT_EQ(words, letters.word_count());
}

TEST(GeneratedLettersTest, NoiseDecidesHowMuchAHandVaries) {
  // Without noise a letter is its glyph, displaced in at most nine ways; with noise hardly two pictures are the same.
  std::map<std::string, std::map<std::string, int>> clean, noisy;
  const auto count = [](auto& counts) {
    return [&counts](const AttributeSequence& word) {
      for (std::size_t t = 0; t < word.size(); ++t) ++counts[std::string(word.label(t))][pixels_of(word, t)];
    };
  };
  for_each_word(letters_text({.words = 300, .noise = 0}), count(clean));
  for_each_word(letters_text({.words = 300, .noise = 0.1}), count(noisy));
  EXPECT_EQ(clean.size(), GeneratedLetters::kLetters);
  for (const auto& [letter, pictures] : clean) EXPECT_LE(pictures.size(), 9u) << letter;
  for (const auto& [letter, pictures] : noisy) EXPECT_GT(pictures.size(), 9u) << letter;
}

TEST(GeneratedLettersTest, RefusesBadOptions) {
  EXPECT_THROW(GeneratedLetters({.words = 0}, Random(1)), UsageError);
  EXPECT_THROW(GeneratedLetters({.noise = 0.6}, Random(1)), UsageError);
}

}  // namespace
}  // namespace fovea::tagging
