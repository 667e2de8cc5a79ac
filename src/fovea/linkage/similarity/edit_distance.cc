// SPDX-License-Identifier: Apache-2.0
#include "fovea/linkage/similarity/edit_distance.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "fovea/linkage/similarity/symbols.h"

namespace fovea::linkage {
namespace {

template <class Symbol>
using Text = std::span<const Symbol>;

/// 64 rows of one column of the table D[i][j], the distance of the pattern's first i from the text's first j
/// characters, held as differences between neighbours. Names in brackets are Hyyro's.
struct Rows {
  std::uint64_t rises = ~std::uint64_t{0};  ///< D[i][j] = D[i - 1][j] + 1 [VP]
  std::uint64_t falls = 0;                  ///< D[i][j] = D[i - 1][j] - 1 [VN]
  std::uint64_t is_diagonal = 0;            ///< D[i][j] = D[i - 1][j - 1] [D0]; kept for swaps alone, like the next
  std::uint64_t matches = 0;                ///< where the pattern has text[j] [PM]
};

/// What the rows above hand down: here of row 0, where D[0][j] = j.
struct Carry {
  std::uint64_t rise = 1, fall = 0, swap = 0;
};

/// Differences D[i][j] - D[i][j - 1] along the rows.
struct Step {
  std::uint64_t rises, falls;  // [HP], [HN]
};

/// From column j - 1 to column j; `matches` is where the pattern has text[j].
template <bool kSwaps>
Step advance(Rows& rows, std::uint64_t matches, Carry& carry) {
  std::uint64_t diagonal = matches | carry.fall;
  diagonal |= (((diagonal & rows.rises) + rows.rises) ^ rows.rises) | rows.falls;
  if constexpr (kSwaps) {
    const std::uint64_t swaps = ~rows.is_diagonal & matches;
    diagonal |= ((swaps << 1) | carry.swap) & rows.matches;
    carry.swap = swaps >> 63;
    rows.is_diagonal = diagonal;
    rows.matches = matches;
  }
  const Step step = {rows.falls | ~(diagonal | rows.rises), diagonal & rows.rises};
  const std::uint64_t rises = (step.rises << 1) | carry.rise, falls = (step.falls << 1) | carry.fall;
  carry.rise = step.rises >> 63;
  carry.fall = step.falls >> 63;
  rows.rises = falls | ~(diagonal | rises);
  rows.falls = rises & diagonal;
  return step;
}

/// `blocks` are the pattern's rows, 64 each. at_most is no more than the longer length.
template <bool kSwaps, class Symbol, class Positions, std::size_t kBlocks>
std::size_t run(std::size_t pattern_size, Text<Symbol> text, const Positions& positions,
                std::span<Rows, kBlocks> blocks, std::size_t at_most) {
  std::size_t distance = pattern_size;
  const std::size_t last_row = (pattern_size - 1) % 64;
  for (std::size_t j = 0; j < text.size(); ++j) {
    Carry carry;
    Step step = {};
    for (std::size_t b = 0; b < blocks.size(); ++b) step = advance<kSwaps>(blocks[b], positions(text[j], b), carry);
    distance += (step.rises >> last_row) & 1;
    distance -= (step.falls >> last_row) & 1;
    const std::size_t remaining = text.size() - 1 - j;  // each may lower the distance by one
    if (distance > at_most + remaining) return at_most + 1;
  }
  return distance;
}

/// Drops what both begin and end with: no distance needs to edit it.
template <class Symbol>
void trim(Text<Symbol>& shorter, Text<Symbol>& longer) {
  const auto same_begin = std::mismatch(shorter.begin(), shorter.end(), longer.begin()).first - shorter.begin();
  shorter = shorter.subspan(same_begin);
  longer = longer.subspan(same_begin);
  const auto same_end = std::mismatch(shorter.rbegin(), shorter.rend(), longer.rbegin()).first - shorter.rbegin();
  shorter = shorter.first(shorter.size() - same_end);
  longer = longer.first(longer.size() - same_end);
}

template <bool kSwaps, class Symbol>
std::size_t distance_of(Text<Symbol> shorter, Text<Symbol> longer, std::size_t alphabet, std::size_t at_most) {
  at_most = std::min(at_most, longer.size());
  if (longer.size() - shorter.size() > at_most) return at_most + 1;
  trim(shorter, longer);
  if (shorter.empty()) return longer.size();
  if (internal::SymbolPositions::hold(shorter.size(), alphabet)) {
    std::array<Rows, 1> rows;
    return run<kSwaps>(shorter.size(), longer, internal::SymbolPositions(shorter, longer), std::span(rows), at_most);
  }
  std::vector<Rows> rows((shorter.size() + 63) / 64);
  const internal::LongSymbolPositions positions(shorter, alphabet);
  return run<kSwaps>(shorter.size(), longer, positions, std::span(rows), at_most);
}

template <bool kSwaps>
std::size_t distance_between(std::string_view a, std::string_view b, std::size_t at_most) {
  return internal::with_symbols(a, b, [&](auto shorter, auto longer, std::size_t alphabet) {
    return distance_of<kSwaps>(shorter, longer, alphabet, at_most);
  });
}

}  // namespace

std::size_t levenshtein(std::string_view a, std::string_view b, std::size_t at_most) {
  return distance_between<false>(a, b, at_most);
}

std::size_t damerau(std::string_view a, std::string_view b, std::size_t at_most) {
  return distance_between<true>(a, b, at_most);
}

double edit_similarity(std::string_view a, std::string_view b) {
  return internal::with_symbols(a, b, [](auto shorter, auto longer, std::size_t alphabet) {
    if (longer.empty()) return 1.0;
    const std::size_t distance = distance_of<false>(shorter, longer, alphabet, kAnyDistance);
    return 1 - static_cast<double>(distance) / static_cast<double>(longer.size());
  });
}

}  // namespace fovea::linkage
