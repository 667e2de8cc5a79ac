// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "fovea/synthesis/invariant/mined.h"
#include "fovea/synthesis/invariant/sampled_states.h"
#include "fovea/synthesis/verify/clause.h"

namespace fovea {

/// Linear forms that invariants of these programs are often made of: variables, sums and differences of two, mined
/// forms, and the equations that all states fulfil (their affine hull). Each once up to sign; at most `most`.
std::vector<std::vector<std::int64_t>> usual_forms(const TransitionSystem& system, const MinedMaterial& material,
                                                   const std::vector<ProgramState>& states, std::size_t most);

/// Atoms that hold in all the states: each form and its opposite, bounded by its largest value in the states and by the
/// mined bounds next above it.
std::vector<Clause> atoms_around(const std::vector<std::vector<std::int64_t>>& forms, const MinedMaterial& material,
                                 const std::vector<ProgramState>& states);

/// The same for the states in which `guard` holds, as clauses "not guard, or atom"; none if it holds in none of them or
/// in all.
std::vector<Clause> clauses_behind(const Atom& guard, const std::vector<std::vector<std::int64_t>>& forms,
                                   const MinedMaterial& material, const std::vector<ProgramState>& states);

/// Integer forms c with c . x the same for all states x: a basis of them, reduced, from exact elimination. Empty where
/// numbers would become large.
std::vector<std::vector<std::int64_t>> constant_forms(const std::vector<ProgramState>& states);

}  // namespace fovea
