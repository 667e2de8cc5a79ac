// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

namespace fovea::internal {

bool is_ascii(std::string_view text);

/// Texts whose code points are all below this (Latin, Greek, Cyrillic and other alphabets) are their own symbols.
inline constexpr std::size_t kAlphabets = 0x600;

/// Two texts that are not both ASCII as symbols, the one with fewer characters first. Beyond kAlphabets the distinct
/// characters of the shorter text are 0, 1, ..., and all characters that it lacks are one further symbol.
struct SymbolPair {
  SymbolPair(std::string_view a, std::string_view b);
  std::vector<std::uint32_t> shorter, longer;
  std::size_t alphabet = kAlphabets;
};

/// Calls function(shorter, longer, alphabet) with two texts as spans of symbols below `alphabet`, the one with fewer
/// characters first. A symbol of one text equals a symbol of the other exactly where their characters are equal. ASCII
/// text is used in place.
template <class Function>
auto with_symbols(std::string_view a, std::string_view b, Function&& function) {
  if (a.size() > b.size()) std::swap(a, b);
  if (is_ascii(a) && is_ascii(b)) {
    const auto bytes = [](std::string_view text) {
      return std::span(reinterpret_cast<const unsigned char*>(text.data()), text.size());
    };
    return function(bytes(a), bytes(b), std::size_t{128});
  }
  const SymbolPair pair(a, b);
  return function(std::span(pair.shorter), std::span(pair.longer), pair.alphabet);
}

/// Positions in `pattern` of each symbol of either text: bit i is position i. Only words of symbols that occur are ever
/// written or read, so nothing of the alphabet's size is cleared.
class SymbolPositions {
 public:
  /// True if patterns of this size over this alphabet can be held.
  static bool hold(std::size_t pattern_size, std::size_t alphabet) {
    return pattern_size <= 64 && alphabet <= kAlphabets;
  }

  template <class Symbol>
  SymbolPositions(std::span<const Symbol> pattern, std::span<const Symbol> text) {
    for (Symbol s : text) words_[s] = 0;
    for (Symbol s : pattern) words_[s] = 0;
    for (std::size_t i = 0; i < pattern.size(); ++i) words_[pattern[i]] |= std::uint64_t{1} << i;
  }
  std::uint64_t operator()(std::size_t symbol, std::size_t = 0) const { return words_[symbol]; }

 private:
  std::array<std::uint64_t, kAlphabets> words_;
};

/// The same for patterns of any size: word w holds the positions 64 w .. 64 w + 63.
class LongSymbolPositions {
 public:
  template <class Symbol>
  LongSymbolPositions(std::span<const Symbol> pattern, std::size_t alphabet)
      : stride_((pattern.size() + 63) / 64), words_(alphabet * stride_) {
    for (std::size_t i = 0; i < pattern.size(); ++i)
      words_[pattern[i] * stride_ + i / 64] |= std::uint64_t{1} << (i % 64);
  }
  std::uint64_t operator()(std::size_t symbol, std::size_t word) const { return words_[symbol * stride_ + word]; }

 private:
  std::size_t stride_;
  std::vector<std::uint64_t> words_;
};

}  // namespace fovea::internal
