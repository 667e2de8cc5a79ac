// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "fovea/base/run_control.h"
#include "fovea/synthesis/program/term.h"

namespace fovea::synthesis {

struct SpacerAnswer {
  ProgramVerdict verdict = ProgramVerdict::kUnknown;
  std::string body = {};  ///< kProved: the body of an SMT-LIB define-fun; not yet checked again
};

/// Asks Z3's engine for constrained Horn clauses (Komuravelli, Gurfinkel, Chaki 2014, "SMT-based model checking for
/// recursive programs"), to which the invariant is a predicate to be found. It has a Z3 context of its own, so that it
/// may run in one thread while other solvers run in others.
SpacerAnswer solve_by_spacer(const TransitionSystem& system, const Stop& stop);

}  // namespace fovea::synthesis
