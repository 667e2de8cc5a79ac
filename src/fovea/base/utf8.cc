// SPDX-License-Identifier: Apache-2.0
#include "fovea/base/utf8.h"

#include <utf8proc.h>

#include <array>

namespace fovea {
namespace {

bool is_within(char32_t c, char32_t first, char32_t last) { return first <= c && c <= last; }

/// Number of bytes in a sequence that begins with this byte, which is not ASCII; 0 if no sequence begins with it.
std::size_t sequence_size(unsigned char lead) {
  if (lead < 0xC2) return 0;
  if (lead < 0xE0) return 2;
  if (lead < 0xF0) return 3;
  return lead < 0xF5 ? 4 : 0;
}

}  // namespace

Character internal::decode_beyond_ascii(std::string_view text) {
  constexpr Character kRaw = {kRawByte, 1};
  const auto lead = static_cast<unsigned char>(text[0]);
  const std::size_t size = sequence_size(lead);
  if (size == 0 || size > text.size()) return kRaw;
  char32_t code_point = lead & (0xFFu >> (size + 1));
  for (std::size_t i = 1; i < size; ++i) {
    const auto next = static_cast<unsigned char>(text[i]);
    if ((next & 0xC0) != 0x80) return kRaw;
    code_point = (code_point << 6) | (next & 0x3F);
  }
  constexpr std::array<char32_t, 5> kSmallest = {0, 0, 0x80, 0x800, 0x10000};
  if (code_point < kSmallest[size] || code_point > 0x10FFFF || is_within(code_point, 0xD800, 0xDFFF)) return kRaw;
  return {code_point, size};
}

std::size_t count_characters(std::string_view text) {
  std::size_t count = 0;
  for (std::size_t at = 0; at < text.size(); ++count) at += first_character(text.substr(at)).size;
  return count;
}

std::size_t bytes_of_characters(std::string_view text, std::size_t count) {
  std::size_t at = 0;
  for (; count > 0 && at < text.size(); --count) at += first_character(text.substr(at)).size;
  return at;
}

void append_utf8(char32_t code_point, std::string& text) {
  const auto continuation = [&](int shift) { text += static_cast<char>(0x80 | ((code_point >> shift) & 0x3F)); };
  if (code_point < 0x80) {
    text += static_cast<char>(code_point);
  } else if (code_point < 0x800) {
    text += static_cast<char>(0xC0 | (code_point >> 6));
    continuation(0);
  } else if (code_point < 0x10000) {
    text += static_cast<char>(0xE0 | (code_point >> 12));
    continuation(6);
    continuation(0);
  } else {
    text += static_cast<char>(0xF0 | (code_point >> 18));
    continuation(12);
    continuation(6);
    continuation(0);
  }
}

CharacterClass internal::classify_beyond_ascii(char32_t code_point) {
  if (code_point == kRawByte) return CharacterClass::kOther;
  switch (utf8proc_category(static_cast<utf8proc_int32_t>(code_point))) {
    case UTF8PROC_CATEGORY_LU:
    case UTF8PROC_CATEGORY_LT:
      return CharacterClass::kCapital;
    case UTF8PROC_CATEGORY_LL:
    case UTF8PROC_CATEGORY_LM:
    case UTF8PROC_CATEGORY_LO:
    case UTF8PROC_CATEGORY_MN:  // accents and vowel signs are parts of words
    case UTF8PROC_CATEGORY_MC:
    case UTF8PROC_CATEGORY_ME:
    case UTF8PROC_CATEGORY_CN:  // most likely letters of a later Unicode
    case UTF8PROC_CATEGORY_CO:
      return CharacterClass::kLetter;
    case UTF8PROC_CATEGORY_ND:
      return CharacterClass::kDigit;
    default:
      return CharacterClass::kOther;
  }
}

char32_t internal::lower_case_beyond_ascii(char32_t code_point) {
  if (code_point == kRawByte) return code_point;
  return static_cast<char32_t>(utf8proc_tolower(static_cast<utf8proc_int32_t>(code_point)));
}

}  // namespace fovea
