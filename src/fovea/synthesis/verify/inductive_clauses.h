// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "fovea/base/run_control.h"
#include "fovea/synthesis/formula/dnf.h"
#include "fovea/synthesis/program/term.h"

namespace fovea::synthesis {

/// The largest part of the candidates that is inductive: all hold at the start, and again after a step from where all
/// hold (Flanagan and Leino 2001, "Houdini, an annotation assistant for ESC/Java"). Clauses that a solver's states
/// refute are left out until it finds no more. Empty where `stop` asks to end, or the solver gives up, before.
std::vector<Clause> inductive_clauses(const TransitionSystem& system, std::vector<Clause> candidates, const Stop& stop);

/// A small inductive part of inductive clauses that proves the program; empty where they do not prove it. By the parts
/// that the solver's proofs use, from the postcondition back.
std::vector<Clause> proving_clauses(const TransitionSystem& system, const std::vector<Clause>& clauses,
                                    const Stop& stop);

}  // namespace fovea::synthesis
