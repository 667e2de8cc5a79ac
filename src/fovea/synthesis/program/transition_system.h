// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "fovea/synthesis/program/term.h"

namespace fovea::synthesis {

/// One value per variable, in their order; Booleans are 0 or 1.
using ProgramState = std::vector<std::int64_t>;

struct ProgramVariable {
  std::string name;  ///< as the file writes it, |bars| included
  Sort sort = Sort::kInteger;
};

/// A loop: states that it may start in, steps that it may make, states that are allowed. An inductive invariant I is
/// wanted, which proves that no run leaves the allowed states:
///
///   pre(x) => I(x)        I(x) and trans(x, x') => I(x')        I(x) => post(x)
///
/// In `terms`, variable i < variables.size() is x_i and variable variables.size() + i is x'_i, its value after the
/// step.
struct TransitionSystem {
  std::string name;  ///< of the invariant, as the file writes it
  std::vector<ProgramVariable> variables;
  TermPool terms;
  TermId pre = 0, trans = 0, post = 0;

  std::size_t size() const { return variables.size(); }
};

/// What was found out about one: an inductive invariant exists; some run reaches a state that is not allowed; neither.
enum class ProgramVerdict : std::uint8_t { kProved, kInfeasible, kUnknown };

}  // namespace fovea::synthesis
