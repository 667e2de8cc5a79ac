// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

namespace fovea::linkage {

/// Jaro's similarity of two texts, 0 .. 1 (Jaro 1989, Journal of the American Statistical Association 84, 414-420):
///
///   (m / |a| + m / |b| + (m - t) / m) / 3,   0 when m = 0
///
/// m characters are common: equal, each used once, and at most max(|a|, |b|) / 2 - 1 positions apart; t is half the
/// number of places where the common characters of a and of b, each in their own order, differ, rounded down as in the
/// Census Bureau's code. Symmetric. Two empty texts have similarity 1, an empty and another one 0: whether an empty
/// field is missing is the caller's to say.
///
/// Lengths are in characters; characters are equal when their code points are: see normalised() for case and accents.
/// O(|a| + |b|) for up to 64 characters each, O(|a| |b|) beyond.
double jaro(std::string_view a, std::string_view b);

/// Winkler's variant (Winkler 1990, Proceedings of the Section on Survey Research Methods, 354-359): with l the length
/// of the common prefix, at most 4,
///
///   jaro + l prefix_scale (1 - jaro)
///
/// for every pair, as the paper has it. Later code of the Census Bureau, and many libraries, leave pairs with jaro <=
/// 0.7 as they are; no comparison takes such strings for similar, and without the threshold the value has no jump.
/// Above 0.7 all agree. `prefix_scale` is 0 .. 0.25, else the value might exceed 1.
double jaro_winkler(std::string_view a, std::string_view b, double prefix_scale = 0.1);

}  // namespace fovea::linkage
