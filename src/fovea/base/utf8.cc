// SPDX-License-Identifier: Apache-2.0
#include "fovea/base/utf8.h"

#include <algorithm>
#include <array>
#include <cstdint>

namespace fovea {
namespace {

/// Capitals first, first + step, ..., last become lower case by adding `shift` (UnicodeData.txt, field 13).
struct CaseRange {
  char32_t first, last;
  std::uint32_t step;
  std::int32_t shift;
};
constexpr std::array kCaseRanges = {
    CaseRange{0x00C0, 0x00D6, 1, 32},   CaseRange{0x00D8, 0x00DE, 1, 32}, CaseRange{0x0100, 0x012E, 2, 1},
    CaseRange{0x0132, 0x0136, 2, 1},    CaseRange{0x0139, 0x0147, 2, 1},  CaseRange{0x014A, 0x0176, 2, 1},
    CaseRange{0x0178, 0x0178, 1, -121}, CaseRange{0x0179, 0x017D, 2, 1},  CaseRange{0x0386, 0x0386, 1, 38},
    CaseRange{0x0388, 0x038A, 1, 37},   CaseRange{0x038C, 0x038C, 1, 64}, CaseRange{0x038E, 0x038F, 1, 63},
    CaseRange{0x0391, 0x03A1, 1, 32},   CaseRange{0x03A3, 0x03AB, 1, 32}, CaseRange{0x0400, 0x040F, 1, 80},
    CaseRange{0x0410, 0x042F, 1, 32},   CaseRange{0x0460, 0x0480, 2, 1},  CaseRange{0x048A, 0x04BE, 2, 1},
    CaseRange{0x04C1, 0x04CD, 2, 1},    CaseRange{0x04D0, 0x052E, 2, 1},  CaseRange{0x0531, 0x0556, 1, 48},
    CaseRange{0x1E00, 0x1E94, 2, 1},    CaseRange{0x1EA0, 0x1EFE, 2, 1},  CaseRange{0xFF21, 0xFF3A, 1, 32},
};

/// Blocks beyond ASCII that hold no letters: Latin-1 signs, general punctuation to symbols, CJK and full-width
/// punctuation, pictographs. Everything else beyond ASCII counts as a letter.
struct CodePointRange {
  char32_t first, last;
};
constexpr std::array kSignRanges = {
    CodePointRange{0x0080, 0x00A9}, CodePointRange{0x00AB, 0x00B4},   CodePointRange{0x00B6, 0x00B9},
    CodePointRange{0x00BB, 0x00BF}, CodePointRange{0x00D7, 0x00D7},   CodePointRange{0x00F7, 0x00F7},
    CodePointRange{0x2000, 0x2BFF}, CodePointRange{0x3000, 0x3004},   CodePointRange{0x3008, 0x3020},
    CodePointRange{0xFE10, 0xFE6F}, CodePointRange{0xFF00, 0xFF20},   CodePointRange{0xFF3B, 0xFF40},
    CodePointRange{0xFF5B, 0xFF65}, CodePointRange{0x1F000, 0x1FAFF},
};

bool is_within(char32_t c, char32_t first, char32_t last) { return first <= c && c <= last; }

/// Bytes that a sequence with this lead byte, not ASCII, should have; 0 for a byte that leads none.
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
  if (is_within(code_point, 0xFF10, 0xFF19)) return CharacterClass::kDigit;
  for (const CodePointRange& signs : kSignRanges)
    if (is_within(code_point, signs.first, signs.last)) return CharacterClass::kOther;
  return lower_case(code_point) != code_point ? CharacterClass::kCapital : CharacterClass::kLetter;
}

char32_t internal::lower_case_beyond_ascii(char32_t code_point) {
  const auto* range = std::find_if(kCaseRanges.begin(), kCaseRanges.end(),
                                   [&](const CaseRange& candidate) { return code_point <= candidate.last; });
  if (range == kCaseRanges.end() || code_point < range->first) return code_point;
  return (code_point - range->first) % range->step == 0 ? code_point + range->shift : code_point;
}

}  // namespace fovea
