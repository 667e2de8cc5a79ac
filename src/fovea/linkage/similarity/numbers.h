// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string_view>

namespace fovea::linkage {

/// Reads a finite number, with blanks allowed around it and a sign in front:
///
///   1234.5   .5   1e3                  as in programs
///   1,234.50  1.234,50  1 234,5        thousands apart, and the last sign before the fraction
///   1,234,567  1.234.567  1'234  1 234 thousands apart
///   12,5   0,125   1234,567            a comma before the fraction, where it cannot set thousands apart
///
/// Blanks between digits may be no-break and thin spaces, too. nullopt for anything else, above all for what has two
/// meanings: "1,234" is 1234 to some and 1.234 to others. A single point always comes before the fraction.
std::optional<double> parse_number(std::string_view text);

}  // namespace fovea::linkage
