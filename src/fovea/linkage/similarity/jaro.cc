// SPDX-License-Identifier: Apache-2.0
#include "fovea/linkage/similarity/jaro.h"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <span>
#include <vector>

#include "fovea/base/error.h"
#include "fovea/linkage/similarity/symbols.h"

namespace fovea::linkage {
namespace {

template <class Symbol>
using JaroText = std::span<const Symbol>;

/// Common characters, and places where their two orders differ.
struct Matches {
  std::size_t common = 0, displaced = 0;
};

std::size_t reach(std::size_t longer) { return std::max<std::size_t>(longer / 2, 1) - 1; }

/// Each character of b, from left to right, takes the leftmost free one of a within reach. The matching of each letter
/// is then in order and largest, whichever text is a.
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

/// The same for texts of any length.
template <class Symbol>
Matches match_one_by_one(JaroText<Symbol> a, JaroText<Symbol> b) {
  const std::size_t range = reach(b.size());
  std::vector<bool> is_taken(a.size());
  std::vector<Symbol> common_b;
  for (std::size_t j = 0; j < b.size(); ++j) {
    const std::size_t end = std::min(a.size(), j + range + 1);
    for (std::size_t i = j - std::min(j, range); i < end; ++i) {
      if (is_taken[i] || a[i] != b[j]) continue;
      is_taken[i] = true;
      common_b.push_back(b[j]);
      break;
    }
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
  const Matches matches = is_short ? match_by_bits(shorter, longer) : match_one_by_one(shorter, longer);
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

}  // namespace fovea::linkage
