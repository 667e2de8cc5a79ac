// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "fovea/synthesis/formula/clause.h"
#include "fovea/synthesis/invariant/mined.h"
#include "fovea/synthesis/program/transition_system.h"

namespace fovea::synthesis {

// What may be part of an invariant. All of it holds in the given states, of which there is at least one.

/// The clauses of the program's pre- and postcondition.
std::vector<Clause> stated_clauses(const TransitionSystem& system, const std::vector<ProgramState>& states);

/// Each usual form (variables, sums and differences of two, x - c y for numbers c of the program, its own forms, and
/// those that are constant on the states), bounded by its largest value in the states and by the mined numbers next
/// above it.
std::vector<Clause> bounding_clauses(const TransitionSystem& system, const MinedMaterial& material,
                                     const std::vector<ProgramState>& states);

/// The same bounds behind conditions, "not guard, or bounded", for the states in which a literal of the postcondition's
/// clauses, the guard, holds.
std::vector<Clause> guarded_clauses(const TransitionSystem& system, const MinedMaterial& material,
                                    const std::vector<ProgramState>& states);

/// A Boolean term over the state in conjunctive normal form, without the conjuncts that are not linear or have too many
/// clauses.
std::vector<Clause> clauses_of(const TransitionSystem& system, TermId term);

}  // namespace fovea::synthesis
