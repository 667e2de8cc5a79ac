// SPDX-License-Identifier: Apache-2.0
#include "fovea/base/string_distance.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "fovea/base/error.h"
#include "fovea/base/symbols.h"

namespace fovea {
namespace {

template <class Symbol>
using Text = std::span<const Symbol>;

/// 64 rows of one column of the table D[i][j], the distance of the pattern's first i from the text's first j
/// characters, held as differences between neighbours. Names in brackets are Hyyro's.
struct Rows {
  std::uint64_t rises = ~std::uint64_t{0};  ///< D[i][j] = D[i - 1][j] + 1 [VP]
  std::uint64_t falls = 0;                  ///< D[i][j] = D[i - 1][j] - 1 [VN]
  std::uint64_t is_diagonal = 0;            ///< D[i][j] = D[i - 1][j - 1] [D0]; kept only for swaps, like the next
  std::uint64_t matches = 0;                ///< where the pattern has text[j] [PM]
};

/// Values handed down from the rows above; at first from row 0, where D[0][j] = j.
struct Carry {
  std::uint64_t rise = 1, fall = 0, swap = 0;
};

/// Differences D[i][j] - D[i][j - 1] along the rows.
struct ColumnChange {
  std::uint64_t rises, falls;  // [HP], [HN]
};

/// Advances from column j - 1 to column j; `matches` is where the pattern has text[j].
template <bool kSwaps>
ColumnChange advance(Rows& rows, std::uint64_t matches, Carry& carry) {
  std::uint64_t diagonal = matches | carry.fall;
  diagonal |= (((diagonal & rows.rises) + rows.rises) ^ rows.rises) | rows.falls;
  if constexpr (kSwaps) {
    const std::uint64_t swaps = ~rows.is_diagonal & matches;
    diagonal |= ((swaps << 1) | carry.swap) & rows.matches;
    carry.swap = swaps >> 63;
    rows.is_diagonal = diagonal;
    rows.matches = matches;
  }
  const ColumnChange step = {rows.falls | ~(diagonal | rows.rises), diagonal & rows.rises};
  const std::uint64_t rises = (step.rises << 1) | carry.rise, falls = (step.falls << 1) | carry.fall;
  carry.rise = step.rises >> 63;
  carry.fall = step.falls >> 63;
  rows.rises = falls | ~(diagonal | rises);
  rows.falls = rises & diagonal;
  return step;
}

/// Computes a distance. `blocks` are the pattern's rows, 64 each; at_most must not exceed the longer length.
template <bool kSwaps, class Symbol, class Positions, std::size_t kBlocks>
std::size_t run(std::size_t pattern_size, Text<Symbol> text, const Positions& positions,
                std::span<Rows, kBlocks> blocks, std::size_t at_most) {
  std::size_t distance = pattern_size;
  const std::size_t last_row = (pattern_size - 1) % 64;
  for (std::size_t j = 0; j < text.size(); ++j) {
    Carry carry;
    ColumnChange step = {};
    for (std::size_t b = 0; b < blocks.size(); ++b) step = advance<kSwaps>(blocks[b], positions(text[j], b), carry);
    distance += (step.rises >> last_row) & 1;
    distance -= (step.falls >> last_row) & 1;
    const std::size_t remaining = text.size() - 1 - j;  // each may lower the distance by one
    if (distance > at_most + remaining) return at_most + 1;
  }
  return distance;
}

/// Drops the common beginning and end, which need no edits.
template <class Symbol>
void trim(Text<Symbol>& shorter, Text<Symbol>& longer) {
  const auto same_begin = std::mismatch(shorter.begin(), shorter.end(), longer.begin()).first - shorter.begin();
  shorter = shorter.subspan(same_begin);
  longer = longer.subspan(same_begin);
  const auto same_end = std::mismatch(shorter.rbegin(), shorter.rend(), longer.rbegin()).first - shorter.rbegin();
  shorter = shorter.first(shorter.size() - same_end);
  longer = longer.first(longer.size() - same_end);
}

/// True if few cells of the table can lie on a path of at most `at_most` edits: fewer than a bit-parallel pass takes
/// steps.
bool is_narrow(std::size_t shorter, std::size_t at_most) {
  constexpr std::size_t kCellsPerBlock = 2;
  return 2 * at_most + 1 < shorter / 64 * kCellsPerBlock;
}

/// Computes the cells D[i][j] with |i - j| <= at_most, row by row, until a whole row is beyond it. So texts of any
/// length take time in proportion to it (Ukkonen 1985, Information and Control 64, 100-118).
template <bool kSwaps, class Symbol>
std::size_t run_in_band(Text<Symbol> a, Text<Symbol> b, std::size_t at_most) {
  const std::size_t width = 2 * at_most + 1, beyond = at_most + 1;
  // [at_most + j - i + 1]: D[i][j] of row i and of the two rows before; no cell of the border is on a path.
  std::vector<std::size_t> row(width + 2, beyond), last = row, before_last = row;
  for (std::size_t d = at_most; d < width; ++d) last[d + 1] = d - at_most;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t least = beyond;
    for (std::size_t d = 0; d < width; ++d) {
      row[d + 1] = beyond;
      if (i + d < at_most || i + d > at_most + b.size()) continue;
      const std::size_t j = i + d - at_most;
      std::size_t cost = std::min(last[d + 2], row[d]) + 1;
      if (j == 0) cost = i;
      else cost = std::min(cost, last[d + 1] + (a[i - 1] != b[j - 1]));
      if (kSwaps && i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        cost = std::min(cost, before_last[d + 1] + 1);
      row[d + 1] = std::min(cost, beyond);
      least = std::min(least, row[d + 1]);
    }
    // A swap may reach over one row, from the row before.
    if (least == beyond && (!kSwaps || *std::ranges::min_element(last) == beyond)) return beyond;
    before_last.swap(last);
    last.swap(row);
  }
  return last[at_most + b.size() - a.size() + 1];
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
  if (is_narrow(shorter.size(), at_most)) return run_in_band<kSwaps>(shorter, longer, at_most);
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

namespace {

template <class Symbol>
using JaroText = std::span<const Symbol>;

/// Common characters, and places where their two orders differ.
struct Matches {
  std::size_t common = 0, displaced = 0;
};

std::size_t reach(std::size_t longer) { return std::max<std::size_t>(longer / 2, 1) - 1; }

/// Each character of b, from left to right, takes the leftmost free equal one of a within reach. The matching of each
/// letter is then in order and as large as possible, whichever text is a.
template <class Symbol>
Matches match_by_bits(JaroText<Symbol> a, JaroText<Symbol> b) {
  const internal::SymbolPositions positions(a, b);
  const std::size_t range = reach(b.size());
  std::uint64_t window = (std::uint64_t{2} << range) - 1;  // positions of a within reach
  std::uint64_t taken_a = 0, taken_b = 0;
  for (std::size_t j = 0; j < b.size(); ++j) {
    const std::uint64_t free = positions(b[j]) & window & ~taken_a;
    taken_a |= free & -free;
    taken_b |= static_cast<std::uint64_t>(free != 0) << j;
    window = (window << 1) | (j < range);
  }
  Matches matches = {static_cast<std::size_t>(std::popcount(taken_a)), 0};
  for (; taken_b != 0; taken_b &= taken_b - 1, taken_a &= taken_a - 1)
    matches.displaced += (positions(b[std::countr_zero(taken_b)]) & taken_a & -taken_a) == 0;
  return matches;
}

/// Does the same for texts of any length. The window only moves to the right, so that the positions of a letter are
/// passed over once.
template <class Symbol>
Matches match_in_order(JaroText<Symbol> a, JaroText<Symbol> b, std::size_t alphabet) {
  const std::size_t range = reach(b.size());
  std::vector<std::size_t> first_free(alphabet, a.size()), next(a.size());  // [symbol], [position]: of the same symbol
  for (std::size_t i = a.size(); i-- > 0;) next[i] = std::exchange(first_free[a[i]], i);
  std::vector<bool> is_taken(a.size());
  std::vector<Symbol> common_b;
  for (std::size_t j = 0; j < b.size(); ++j) {
    std::size_t& i = first_free[b[j]];
    while (i < a.size() && i + range < j) i = next[i];
    if (i == a.size() || i > j + range) continue;
    is_taken[i] = true;
    common_b.push_back(b[j]);
    i = next[i];
  }
  Matches matches;
  for (std::size_t i = 0; i < a.size(); ++i)
    if (is_taken[i]) matches.displaced += a[i] != common_b[matches.common++];
  return matches;
}

template <class Symbol>
double jaro_of(JaroText<Symbol> shorter, JaroText<Symbol> longer, std::size_t alphabet) {
  if (longer.empty()) return 1;
  const bool is_short = internal::SymbolPositions::hold(longer.size(), alphabet);
  const Matches matches = is_short ? match_by_bits(shorter, longer) : match_in_order(shorter, longer, alphabet);
  if (matches.common == 0) return 0;
  const auto m = static_cast<double>(matches.common), t = static_cast<double>(matches.displaced / 2);
  return (m / static_cast<double>(shorter.size()) + m / static_cast<double>(longer.size()) + (m - t) / m) / 3;
}

}  // namespace

double jaro(std::string_view a, std::string_view b) {
  return internal::with_symbols(
      a, b, [](auto shorter, auto longer, std::size_t alphabet) { return jaro_of(shorter, longer, alphabet); });
}

double jaro_winkler(std::string_view a, std::string_view b, double prefix_scale) {
  FOVEA_CHECK(prefix_scale >= 0 && prefix_scale <= 0.25);
  constexpr std::size_t kMaxPrefix = 4;
  return internal::with_symbols(a, b, [&](auto shorter, auto longer, std::size_t alphabet) {
    const auto head = shorter.first(std::min(kMaxPrefix, shorter.size()));
    const auto prefix = std::mismatch(head.begin(), head.end(), longer.begin()).first - head.begin();
    const double jaro = jaro_of(shorter, longer, alphabet);
    return jaro + static_cast<double>(prefix) * prefix_scale * (1 - jaro);
  });
}

}  // namespace fovea
