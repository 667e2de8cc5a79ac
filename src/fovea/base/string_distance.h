// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <limits>
#include <string_view>

namespace fovea {

inline constexpr std::size_t kAnyDistance = std::numeric_limits<std::size_t>::max();

/// Smallest number of insertions, deletions and replacements of single characters that turn a into b. A distance above
/// `at_most` is returned as at_most + 1, and found faster.
///
/// Lengths are in characters; characters are equal when their code points are: see normalised() for case and accents.
/// Bit-parallel (Myers 1999, Journal of the ACM 46, 395-415, as simplified by Hyyro 2003): O(|a| |b| / 64).
std::size_t levenshtein(std::string_view a, std::string_view b, std::size_t at_most = kAnyDistance);

/// The same, with swaps of two neighbours as a fourth edit: optimal string alignment, the restricted form of
/// Damerau's distance, in which no character is edited twice. ("ca" to "abc" takes 3, not 2; no triangle inequality.)
/// Bit-parallel (Hyyro 2003, Technical Report A-2003-2, University of Tampere, section 4).
std::size_t damerau(std::string_view a, std::string_view b, std::size_t at_most = kAnyDistance);

/// Jaro's similarity of two texts, 0 .. 1 (Jaro 1989, Journal of the American Statistical Association 84, 414-420):
///
///   (m / |a| + m / |b| + (m - t) / m) / 3,   0 when m = 0
///
/// m characters are common: equal, each used once, and at most max(|a|, |b|) / 2 - 1 positions apart; t is half the
/// number of places where the common characters of a and of b, each in their own order, differ, rounded down as in the
/// Census Bureau's code. Symmetric. Two empty texts have similarity 1, an empty and another one 0: whether an empty
/// field is missing is for the caller to decide.
///
/// Lengths are in characters; characters are equal when their code points are: see normalised() for case and accents.
/// O(|a| + |b|).
double jaro(std::string_view a, std::string_view b);

/// Winkler's variant (Winkler 1990, Proceedings of the Section on Survey Research Methods, 354-359): with l the length
/// of the common prefix, at most 4,
///
///   jaro + l prefix_scale (1 - jaro)
///
/// for every pair, as in the paper. Later code of the Census Bureau, and many libraries, leave pairs with jaro <= 0.7
/// as they are; no comparison takes such strings for similar, and without the threshold the value has no jump. Above
/// 0.7 all agree. `prefix_scale` is 0 .. 0.25; otherwise the value might exceed 1.
double jaro_winkler(std::string_view a, std::string_view b, double prefix_scale = 0.1);

}  // namespace fovea
