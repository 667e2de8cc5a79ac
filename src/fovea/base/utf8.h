// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <string_view>

namespace fovea {

/// One character of text that is usually, but not always, UTF-8. A byte that begins no valid sequence (overlong forms
/// and surrogates included) is a character of its own, so any bytes survive being cut into characters.
struct Character {
  char32_t code_point = 0;  ///< kRawByte when the byte is not UTF-8
  std::size_t size = 0;     ///< in bytes, 1 .. 4
};
inline constexpr char32_t kRawByte = 0xFFFFFFFF;

namespace internal {
Character decode_beyond_ascii(std::string_view text);
}  // namespace internal

/// The first character of non-empty `text`.
inline Character first_character(std::string_view text) {
  const auto lead = static_cast<unsigned char>(text[0]);
  return lead < 0x80 ? Character{lead, 1} : internal::decode_beyond_ascii(text);
}

/// Number of characters in `text`.
std::size_t count_characters(std::string_view text);

/// Number of bytes in the first `count` characters of `text`; all of its bytes if it has fewer characters.
std::size_t bytes_of_characters(std::string_view text, std::size_t count);

void append_utf8(char32_t code_point, std::string& text);

/// The classes that a word signature distinguishes, by Unicode's general categories.
enum class CharacterClass : unsigned char { kOther, kCapital, kLetter, kDigit };

namespace internal {
constexpr std::array<CharacterClass, 0x80> make_ascii_classes() {
  std::array<CharacterClass, 0x80> classes = {};
  for (char c = 'A'; c <= 'Z'; ++c) classes[c] = CharacterClass::kCapital;
  for (char c = 'a'; c <= 'z'; ++c) classes[c] = CharacterClass::kLetter;
  for (char c = '0'; c <= '9'; ++c) classes[c] = CharacterClass::kDigit;
  return classes;
}
inline constexpr std::array<CharacterClass, 0x80> kAsciiClasses = make_ascii_classes();
CharacterClass classify_beyond_ascii(char32_t code_point);
char32_t lower_case_beyond_ascii(char32_t code_point);
}  // namespace internal

inline CharacterClass classify(char32_t code_point) {
  return code_point < 0x80 ? internal::kAsciiClasses[code_point] : internal::classify_beyond_ascii(code_point);
}

/// Unicode's simple lower-case mapping; characters other than capitals map to themselves.
inline char32_t lower_case(char32_t code_point) {
  if (code_point >= 0x80) return internal::lower_case_beyond_ascii(code_point);
  return classify(code_point) == CharacterClass::kCapital ? code_point + ('a' - 'A') : code_point;
}

}  // namespace fovea
