// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "fovea/synthesis/formula/dnf.h"

namespace fovea {

/// A disjunction of atoms; one atom is the common case. Of such clauses an invariant's known part is made.
struct Clause {
  std::vector<Atom> atoms;

  bool holds(std::span<const std::int64_t> row) const;
  bool operator==(const Clause&) const = default;
  auto operator<=>(const Clause&) const = default;
};

/// What the search for an invariant works with: clauses AND a formula in disjunctive normal form.
struct InvariantFormula {
  std::vector<Clause> clauses;
  Dnf rest = {.disjuncts = {{}}};  ///< true

  bool holds(std::span<const std::int64_t> row) const;
  /// The body of an SMT-LIB define-fun. names: [variable], symbols as SMT-LIB writes them.
  std::string smt_text(std::span<const std::string> names) const;
};

}  // namespace fovea
