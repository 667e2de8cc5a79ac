// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <compare>
#include <cstdint>
#include <span>
#include <vector>

namespace fovea::synthesis {

/// The linear inequality coefficients . x <= bound over integer variables x.
struct Atom {
  std::vector<std::int64_t> coefficients;  ///< [variable]
  std::int64_t bound = 0;

  /// Exact for all rows: no sum overflows. O(variables).
  bool holds(std::span<const std::int64_t> row) const;

  bool operator==(const Atom&) const = default;
  auto operator<=>(const Atom&) const = default;
};

/// The atom that holds where this one does not: -coefficients . x <= -bound - 1. Every number must be above its type's
/// least.
Atom negation(const Atom& atom);

/// An atom that holds for the same integer rows, divided by the common factor of its coefficients: 2 x <= 3 is x <= 1.
Atom reduced(Atom atom);

}  // namespace fovea::synthesis
