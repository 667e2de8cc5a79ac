// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "fovea/synthesis/formula/dnf.h"
#include "fovea/synthesis/program/term.h"

namespace fovea::synthesis {

/// Coefficients of a linear form over the state.
using LinearCoefficients = std::vector<std::int64_t>;

/// The form divided by the common factor of its entries, the first of them positive; empty for 0 and where an entry is
/// beyond 10^6.
LinearCoefficients canonical_form(LinearCoefficients form);

/// A basis of the integer forms c for which c . x is the same for all these states x, by exact elimination; each
/// canonical. Empty where numbers would become large.
std::vector<LinearCoefficients> constant_forms(const std::vector<ProgramState>& states);

/// What a program's text suggests that its invariants are made of.
struct MinedMaterial {
  std::vector<std::int64_t> numbers;  ///< its numbers and 0, rising, each once
  std::vector<std::int64_t> bounds;   ///< the same, their opposites, and what is 1 more or less; rising, each once
  std::vector<Atom> guards;           ///< its comparisons as atoms over the state; of an equation both; each once
  std::vector<std::vector<std::int64_t>> forms;  ///< their left sides, each once up to sign and common factors
};

/// Comparisons count wherever they stand, those over states after the step as well; comparisons that connect the states
/// before and after give the form that vanishes, or the change, on the state before.
MinedMaterial mine(const TransitionSystem& system);

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
