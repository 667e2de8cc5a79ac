// SPDX-License-Identifier: Apache-2.0
#include "fovea/linkage/generate/syllables.h"

#include <string_view>

namespace fovea::linkage {
namespace {

char draw_letter(std::string_view letters, Random& random) {
  return letters[random.uniform_index(static_cast<std::uint32_t>(letters.size()))];
}

std::string draw_letters(std::string_view letters, int count, Random& random) {
  std::string drawn;
  for (int i = 0; i < count; ++i) drawn += draw_letter(letters, random);
  return drawn;
}

}  // namespace

Syllables::Syllables(Random language)
    : onsets_(draw_letters("bcdfghjklmnprstvwyz", 24, language)),
      vowels_(draw_letters("aeiou", 4, language) + "aeiou"),
      codas_(draw_letters("dgklmnnrstx", 6, language)),
      open_(0.4 + 0.1 * language.uniform_index(5)) {}

void Syllables::append(int count, Random& random, std::string& word) const {
  for (int i = 0; i < count; ++i) {
    word += draw_letter(onsets_, random);
    word += draw_letter(vowels_, random);
    if (!random.bernoulli(open_)) word += draw_letter(codas_, random);
  }
}

}  // namespace fovea::linkage
