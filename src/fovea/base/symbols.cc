// SPDX-License-Identifier: Apache-2.0
#include "fovea/base/symbols.h"

#include <algorithm>
#include <cstring>

#include "fovea/base/utf8.h"

namespace fovea::internal {
namespace {

/// The characters of `text`; a byte that is not UTF-8 gets a number of its own, beyond Unicode.
std::vector<std::uint32_t> characters_of(std::string_view text) {
  std::vector<std::uint32_t> characters;
  characters.reserve(text.size());
  while (!text.empty()) {
    const Character c = first_character(text);
    const std::uint32_t raw_byte = 0x110000 + static_cast<unsigned char>(text[0]);
    characters.push_back(c.code_point == kRawByte ? raw_byte : static_cast<std::uint32_t>(c.code_point));
    text.remove_prefix(c.size);
  }
  return characters;
}

}  // namespace

bool is_ascii(std::string_view text) {
  constexpr std::uint64_t kHighBits = 0x8080808080808080;
  std::uint64_t bits = 0;
  for (; text.size() >= sizeof bits; text.remove_prefix(sizeof bits)) {
    std::uint64_t word;
    std::memcpy(&word, text.data(), sizeof word);
    bits |= word;
  }
  for (char c : text) bits |= static_cast<unsigned char>(c);
  return (bits & kHighBits) == 0;
}

SymbolPair::SymbolPair(std::string_view a, std::string_view b) : shorter(characters_of(a)), longer(characters_of(b)) {
  if (shorter.size() > longer.size()) shorter.swap(longer);
  const auto is_own_symbol = [](std::uint32_t character) { return character < kAlphabets; };
  if (std::ranges::all_of(shorter, is_own_symbol) && std::ranges::all_of(longer, is_own_symbol)) return;
  std::vector<std::uint32_t> distinct = shorter;
  std::sort(distinct.begin(), distinct.end());
  distinct.erase(std::unique(distinct.begin(), distinct.end()), distinct.end());
  const auto relabel = [&](std::uint32_t& character) {
    const auto found = std::lower_bound(distinct.begin(), distinct.end(), character);
    const bool is_shared = found != distinct.end() && *found == character;
    character = static_cast<std::uint32_t>((is_shared ? found : distinct.end()) - distinct.begin());
  };
  std::for_each(shorter.begin(), shorter.end(), relabel);
  std::for_each(longer.begin(), longer.end(), relabel);
  alphabet = distinct.size() + 1;
}

}  // namespace fovea::internal
