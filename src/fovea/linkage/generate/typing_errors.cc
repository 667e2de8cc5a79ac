// SPDX-License-Identifier: Apache-2.0
#include "fovea/linkage/generate/typing_errors.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

namespace fovea::linkage {
namespace {

enum class Mistake { kOmit, kInsert, kReplace, kSwap };

constexpr std::array kMistakeShares = {.37, .28, .22, .13};  // guesses: see the header
constexpr double kSecondMistake = 0.07, kDoubled = 0.6, kSoundsAlike = 0.5;

/// Neighbours of a, b, ... z on an English keyboard.
constexpr std::array<std::string_view, 26> kNeighbours = {
    "qwsz", "vghn", "xdfv", "serfcx", "wsdr", "drtgvc", "ftyhbv", "gyujnb", "ujko", "huikmn", "jiolm", "kop",  "njk",
    "bhjm", "iklp", "ol",   "wa",     "edft", "awedxz", "rfgy",   "yhji",   "cfgb", "qase",   "zsdc",  "tghu", "asx"};

struct SoundAlike {
  std::string_view one, other;
};
constexpr std::array kSoundAlikes = {
    SoundAlike{"ph", "f"},  SoundAlike{"ck", "k"}, SoundAlike{"c", "k"},   SoundAlike{"y", "i"},
    SoundAlike{"ei", "ie"}, SoundAlike{"th", "t"}, SoundAlike{"s", "z"},   SoundAlike{"ll", "l"},
    SoundAlike{"nn", "n"},  SoundAlike{"tt", "t"}, SoundAlike{"ea", "ee"}, SoundAlike{"ai", "ay"},
    SoundAlike{"m", "n"},   SoundAlike{"v", "w"},  SoundAlike{"d", "t"},   SoundAlike{"e", "a"}};

bool is_letter(char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0; }

std::uint32_t draw_index(std::size_t count, Random& random) {
  return random.uniform_index(static_cast<std::uint32_t>(count));
}

/// Replaces one of the places, after the first letter, whose letters sound like others. False if there is none.
bool replace_sound(std::string& text, Random& random) {
  struct Place {
    std::size_t at, size;
    std::string_view by;
  };
  std::vector<Place> places;
  for (const SoundAlike& sound : kSoundAlikes)
    for (const auto& [one, other] : {std::pair(sound.one, sound.other), std::pair(sound.other, sound.one)})
      for (std::size_t at = text.find(one, 1); at != std::string::npos; at = text.find(one, at + 1))
        places.push_back({at, one.size(), other});
  if (places.empty()) return false;
  const Place& place = places[draw_index(places.size(), random)];
  text.replace(place.at, place.size, place.by);
  return true;
}

char neighbour_of(char letter, Random& random) {
  if (!is_letter(letter)) return static_cast<char>('a' + random.uniform_index(26));
  const std::string_view neighbours = kNeighbours[static_cast<std::size_t>(std::tolower(letter) - 'a')];
  return neighbours[draw_index(neighbours.size(), random)];
}

/// `at`: 1 .. size - 1, a letter.
void make_mistake(std::string& text, std::size_t at, Random& random) {
  switch (static_cast<Mistake>(random.categorical(std::span<const double>(kMistakeShares)))) {
    case Mistake::kOmit:
      text.erase(at, 1);
      break;
    case Mistake::kInsert:
      text.insert(at + 1, 1, random.bernoulli(kDoubled) ? text[at] : neighbour_of(text[at], random));
      break;
    case Mistake::kReplace:
      if (!random.bernoulli(kSoundsAlike) || !replace_sound(text, random)) text[at] = neighbour_of(text[at], random);
      break;
    case Mistake::kSwap:
      if (is_letter(text[at - 1])) std::swap(text[at - 1], text[at]);
  }
}

/// Capital letters at the beginnings of words, as before the mistake, and nowhere else.
void restore_capitals(std::string& text) {
  bool begins = true;
  for (char& letter : text) {
    letter = static_cast<char>(begins ? std::toupper(letter) : std::tolower(letter));
    begins = letter == ' ';
  }
}

}  // namespace

std::string mistyped(std::string text, Random& random) {
  const bool is_capitalised = !text.empty() && std::isupper(static_cast<unsigned char>(text[0])) != 0;
  const int mistakes = random.bernoulli(kSecondMistake) ? 2 : 1;
  for (int mistake = 0; mistake < mistakes && text.size() > 1; ++mistake) {
    const std::size_t at = 1 + draw_index(text.size() - 1, random);
    if (is_letter(text[at])) make_mistake(text, at, random);
  }
  if (is_capitalised) restore_capitals(text);
  return text;
}

std::string misread_digits(std::string text, Random& random) {
  std::vector<std::size_t> digits;
  for (std::size_t i = 0; i < text.size(); ++i)
    if (std::isdigit(static_cast<unsigned char>(text[i]))) digits.push_back(i);
  if (digits.empty()) return text;
  constexpr double kSwapped = 0.4;  // a guess
  const std::uint32_t chosen = draw_index(digits.size(), random);
  char& digit = text[digits[chosen]];
  if (chosen + 1 < digits.size() && text[digits[chosen + 1]] != digit && random.bernoulli(kSwapped))
    std::swap(digit, text[digits[chosen + 1]]);
  else digit = static_cast<char>('0' + (digit - '0' + 1 + static_cast<int>(random.uniform_index(9))) % 10);
  return text;
}

}  // namespace fovea::linkage
