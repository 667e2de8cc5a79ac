// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "fovea/synthesis/formula/atom.h"

namespace fovea::synthesis {

/// A formula in disjunctive normal form over integer variables (Steinhardt and Liang 2015, section 5):
///
///   f(x) = OR_i AND_j [a_ij . x <= b_ij]
///
/// No disjuncts: false. A disjunct without atoms: true.
struct Dnf {
  using Conjunction = std::vector<Atom>;

  std::vector<Conjunction> disjuncts;

  /// Exact for all rows. O(atoms * variables).
  bool holds(std::span<const std::int64_t> row) const;

  /// For people: "x1 != 0 or (x2 = x3 and x1 <= x2 + 4)". `names`: [variable]. A pair of atoms that make an equation,
  /// or of disjuncts that make its opposite, is printed as one.
  std::string text(std::span<const std::string> names) const;

  /// The body of an SMT-LIB define-fun. `names`: [variable], symbols as SMT-LIB writes them.
  std::string smt_text(std::span<const std::string> names) const;

  bool operator==(const Dnf&) const = default;
};

/// A formula that holds for the same integer rows, without the atoms that others of their disjunct imply and the
/// disjuncts that can never hold or imply another. Finds what one pair of atoms with the same or opposite coefficients
/// shows. O(disjuncts^2 atoms^2 variables).
Dnf simplified(const Dnf& formula);

}  // namespace fovea::synthesis
