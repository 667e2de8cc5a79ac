// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <compare>
#include <cstdint>
#include <span>
#include <string>
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

/// The atom that holds where this one does not: -coefficients . x <= -bound - 1. Every number must be above the
/// smallest of its type.
Atom negation(const Atom& atom);

/// The atom divided by the common factor of its coefficients, which holds for the same integer rows: 2 x <= 3 becomes
/// x <= 1.
Atom reduced(Atom atom);

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

  /// Text for people: "x1 != 0 or (x2 = x3 and x1 <= x2 + 4)". `names`: [variable]. A pair of atoms that form an
  /// equation, or of disjuncts that form its negation, is printed as one.
  std::string text(std::span<const std::string> names) const;

  /// The body of an SMT-LIB define-fun. `names`: [variable], symbols as SMT-LIB writes them.
  std::string smt_text(std::span<const std::string> names) const;

  bool operator==(const Dnf&) const = default;
};

/// A formula that holds for the same integer rows, without atoms that another one of their disjunct implies, and
/// without disjuncts that can never hold or that imply another. Finds what a single pair of atoms with equal or
/// opposite coefficients shows. O(disjuncts^2 atoms^2 variables).
Dnf simplified(const Dnf& formula);

/// A disjunction of inequalities, most often of a single one.
struct Clause {
  std::vector<Atom> atoms;

  bool holds(std::span<const std::int64_t> row) const;

  bool operator==(const Clause&) const = default;
  auto operator<=>(const Clause&) const = default;
};

/// The clauses and the formula, as the body of an SMT-LIB define-fun. names: [variable], as SMT-LIB writes them.
std::string smt_text(std::span<const Clause> clauses, const Dnf& formula, std::span<const std::string> names);

/// The clauses without those that another one implies, by a smaller bound on the same form or by being a part of them.
std::vector<Clause> without_implied(std::vector<Clause> clauses);

}  // namespace fovea::synthesis
