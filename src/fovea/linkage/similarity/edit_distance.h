// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <limits>
#include <string_view>

namespace fovea::linkage {

inline constexpr std::size_t kAnyDistance = std::numeric_limits<std::size_t>::max();

/// Insertions, deletions and replacements of single characters that turn a into b: the fewest. A distance above
/// `at_most` is given as at_most + 1, and sooner.
///
/// Lengths are in characters; characters are equal when their code points are: see normalised() for case and accents.
/// Bit-parallel (Myers 1999, Journal of the ACM 46, 395-415, as simplified by Hyyro 2003): O(|a| |b| / 64).
std::size_t levenshtein(std::string_view a, std::string_view b, std::size_t at_most = kAnyDistance);

/// The same, with swaps of two neighbours as a fourth edit: optimal string alignment, the restricted form of
/// Damerau's distance, in which no character is edited twice. ("ca" to "abc" takes 3, not 2; no triangle inequality.)
/// Bit-parallel (Hyyro 2003, Technical Report A-2003-2, University of Tampere, section 4).
std::size_t damerau(std::string_view a, std::string_view b, std::size_t at_most = kAnyDistance);

/// 1 - levenshtein / the longer length, 0 .. 1; 1 for two empty texts.
double edit_similarity(std::string_view a, std::string_view b);

}  // namespace fovea::linkage
