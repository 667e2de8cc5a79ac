// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "fovea/synthesis/formula/dnf.h"

namespace fovea::synthesis {

/// A disjunction of inequalities; one of them is the common case.
struct Clause {
  std::vector<Atom> atoms;

  bool holds(std::span<const std::int64_t> row) const;

  bool operator==(const Clause&) const = default;
  auto operator<=>(const Clause&) const = default;
};

/// The clauses and the formula, as the body of an SMT-LIB define-fun. names: [variable], as SMT-LIB writes them.
std::string smt_text(std::span<const Clause> clauses, const Dnf& formula, std::span<const std::string> names);

/// Without those that another one implies by a smaller bound on the same form, or by being a part of it.
std::vector<Clause> without_implied(std::vector<Clause> clauses);

}  // namespace fovea::synthesis
