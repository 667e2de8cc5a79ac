// SPDX-License-Identifier: Apache-2.0
#include "fovea/gestures/keyboard.h"

#include <fmt/format.h>
#include <utf8proc.h>

#include <algorithm>
#include <array>

#include "fovea/base/utf8.h"
#include "fovea/io/token_reader.h"

namespace fovea::gestures {
namespace {

struct KeyRow {
  std::string_view letters;
  KeyboardPoint first;
};

constexpr std::array<KeyboardPoint, kKeyCount> qwerty_centres() {
  std::array<KeyboardPoint, kKeyCount> centres{};
  for (const KeyRow& row : {KeyRow{"qwertyuiop", {.x = .5F, .y = .54F}}, KeyRow{"asdfghjkl", {.x = 1, .y = 1.55F}},
                            KeyRow{"zxcvbnm", {.x = 2, .y = 2.53F}}})
    for (std::size_t i = 0; i < row.letters.size(); ++i)
      centres[static_cast<std::size_t>(row.letters[i] - 'a')] = {row.first.x + static_cast<float>(i), row.first.y};
  return centres;
}

constexpr std::array<KeyboardPoint, kKeyCount> kCentres = qwerty_centres();

constexpr int kFolding = UTF8PROC_COMPAT | UTF8PROC_DECOMPOSE | UTF8PROC_CASEFOLD;

}  // namespace

KeyboardPoint key_centre(Key key) { return kCentres[key]; }

Key key_at(KeyboardPoint point) {
  const auto nearest = std::min_element(kCentres.begin(), kCentres.end(), [&](KeyboardPoint a, KeyboardPoint b) {
    return distance(a, point) < distance(b, point);
  });
  return static_cast<Key>(nearest - kCentres.begin());
}

std::vector<Key> keys_near(Key key, float radius) {
  std::vector<Key> keys;
  for (Key other = 0; other < kKeyCount; ++other)
    if (distance(kCentres[key], kCentres[other]) <= radius) keys.push_back(other);
  return keys;
}

std::string typed_letters(std::string_view word) {
  std::string letters;
  while (!word.empty()) {
    const Character character = first_character(word);
    word.remove_prefix(character.size);
    if (character.code_point == kRawByte) continue;
    std::array<utf8proc_int32_t, 16> parts{};  // the letter and its accents; as many letters for a ligature
    const utf8proc_ssize_t count = utf8proc_decompose_char(static_cast<utf8proc_int32_t>(character.code_point),
                                                           parts.data(), static_cast<utf8proc_ssize_t>(parts.size()),
                                                           static_cast<utf8proc_option_t>(kFolding), nullptr);
    for (utf8proc_ssize_t i = 0; i < std::min<utf8proc_ssize_t>(count, parts.size()); ++i)
      if (parts[static_cast<std::size_t>(i)] >= 'a' && parts[static_cast<std::size_t>(i)] <= 'z')
        letters += static_cast<char>(parts[static_cast<std::size_t>(i)]);
  }
  return letters;
}

bool is_typed_by_letters(std::string_view word) {
  return !word.empty() && std::all_of(word.begin(), word.end(), [](char c) { return 'a' <= c && c <= 'z'; });
}

std::vector<Key> keys_of(std::string_view word, const InputLocation& location) {
  if (!is_typed_by_letters(word))
    throw InputError(location, fmt::format("{} is not a word of the letters a .. z", io::quoted_for_message(word)),
                     "Give lower-case words and keys without other characters");
  std::vector<Key> keys;
  for (const char letter : word) keys.push_back(static_cast<Key>(letter - 'a'));
  return keys;
}

std::string letters_of(const std::vector<Key>& keys) {
  std::string letters;
  for (const Key key : keys) letters += static_cast<char>('a' + key);
  return letters;
}

}  // namespace fovea::gestures
