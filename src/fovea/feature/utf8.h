// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace fovea {

/// One character of text that is mostly, but not surely, UTF-8. A byte that begins no valid sequence (overlong forms
/// and surrogates included) is a character of its own, so any bytes survive being cut into characters.
struct Character {
  char32_t code_point = 0;  ///< kRawByte when the byte is not UTF-8
  std::size_t size = 0;     ///< in bytes, 1 .. 4
};
inline constexpr char32_t kRawByte = 0xFFFFFFFF;

/// The first character of non-empty `text`.
Character first_character(std::string_view text);

/// Characters in `text`.
std::size_t count_characters(std::string_view text);

/// Bytes in the first `count` characters of `text`; all of it if there are fewer.
std::size_t bytes_of_characters(std::string_view text, std::size_t count);

void append_utf8(char32_t code_point, std::string& text);

/// What a word signature tells apart.
enum class CharacterClass { kCapital, kLetter, kDigit, kOther };
CharacterClass classify(char32_t code_point);

/// Unicode's simple lower-case mapping for the Latin, Greek, Cyrillic, Armenian and full-width letters; every other
/// code point maps to itself.
char32_t lower_case(char32_t code_point);

}  // namespace fovea
