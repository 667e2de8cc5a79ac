// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "fovea/base/run_control.h"
#include "fovea/synthesis/program/invariant_problem.h"
#include "fovea/synthesis/program/term.h"

namespace fovea::synthesis {

struct SpacerAnswer {
  ProgramVerdict verdict = ProgramVerdict::kUnknown;
  std::vector<std::string> bodies = {};  ///< kProved: of SMT-LIB define-funs, by predicate; not yet checked again
};

/// Gives the clauses, as text, to Z3's engine for constrained Horn clauses (Komuravelli, Gurfinkel, Chaki 2014,
/// "SMT-based model checking for recursive programs"). It has a Z3 context of its own, so that it may run in one thread
/// while other solvers run in others.
SpacerAnswer solve_by_spacer(const HornClauses& clauses, const Stop& stop);

}  // namespace fovea::synthesis
