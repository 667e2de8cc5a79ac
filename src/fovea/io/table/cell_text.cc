// SPDX-License-Identifier: Apache-2.0
#include "fovea/io/table/cell_text.h"

#include <cstdint>
#include <cstring>

#include "fovea/base/utf8.h"
#include "fovea/io/table/table.h"

namespace fovea::io {
namespace {

/// True if the text is ASCII without NUL. Eight bytes at a time: most cells are one or two words.
bool is_plain_ascii(std::string_view text) {
  constexpr std::uint64_t kLow = 0x0101010101010101, kHigh = 0x8080808080808080;
  std::uint64_t faults = 0, word = 0;
  while (text.size() >= sizeof word) {
    std::memcpy(&word, text.data(), sizeof word);
    faults |= word | (word - kLow);  // a byte without its highest bit borrows only if it is 0, or one below it is
    text.remove_prefix(sizeof word);
  }
  for (const char c : text) faults |= static_cast<unsigned char>(c) == 0 ? kHigh : static_cast<unsigned char>(c);
  return (faults & kHigh) == 0;
}

}  // namespace

const char* fault_of_cell(std::string_view text) {
  if (text.size() > TextColumn::kMaxCellBytes) return "longer than 4 MiB";
  if (is_plain_ascii(text)) return nullptr;
  if (text.find('\0') != text.npos) return "holds a NUL character";
  while (!text.empty()) {
    const Character character = first_character(text);
    if (character.code_point == kRawByte) return "not UTF-8";
    text.remove_prefix(character.size);
  }
  return nullptr;
}

}  // namespace fovea::io
