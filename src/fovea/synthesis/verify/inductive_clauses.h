// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "fovea/base/run_control.h"
#include "fovea/synthesis/formula/dnf.h"
#include "fovea/synthesis/program/term.h"

namespace fovea::synthesis {

/// The largest inductive part of the candidates: all its clauses hold at the start, and again after a step from a state
/// where all hold (Flanagan and Leino 2001, "Houdini, an annotation assistant for ESC/Java"). Clauses that a solver's
/// states refute are left out until it finds no more. Empty if `stop` asks to end, or the solver gives up, before that.
std::vector<Clause> inductive_clauses(const TransitionSystem& system, std::vector<Clause> candidates, const Stop& stop);

/// A small inductive part of inductive clauses that proves the program; empty if they do not prove it. It is made of
/// the clauses that the solver's proofs use, from the postcondition backwards.
std::vector<Clause> proving_clauses(const TransitionSystem& system, const std::vector<Clause>& clauses,
                                    const Stop& stop);

}  // namespace fovea::synthesis
