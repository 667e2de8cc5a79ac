// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "fovea/synthesis/program/term.h"

namespace fovea::synthesis {

/// A program whose state also holds remainders of its variables, so that bounds of these are congruences: "x mod 3 is
/// at most 0". Runs of both programs are the same.
struct WithRemainders {
  struct Remainder {
    std::size_t variable;
    std::int64_t divisor;
  };
  TransitionSystem system;  ///< the variables of the program, then a remainder each
  std::vector<Remainder> remainders = {};

  /// An invariant of `system` as one of the program, both as SMT-LIB.
  std::string over_program(const std::string& invariant) const;
};

/// Adds remainders that the program suggests: by the numbers that it divides by, and by those that it adds to a
/// variable in a step. None if it suggests none.
WithRemainders with_remainders(const TransitionSystem& system);

}  // namespace fovea::synthesis
