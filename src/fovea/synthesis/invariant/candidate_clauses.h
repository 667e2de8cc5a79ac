// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "fovea/synthesis/formula/dnf.h"
#include "fovea/synthesis/program/term.h"

namespace fovea::synthesis {

/// Coefficients of a linear form over the state.
using LinearCoefficients = std::vector<std::int64_t>;

/// The form divided by the common factor of its entries, the first non-zero one positive; empty for the zero form and
/// if an entry exceeds 10^6.
LinearCoefficients canonical_form(LinearCoefficients form);

/// A basis of the integer forms c for which c . x is the same for all these states x, by exact elimination; each form
/// is canonical. Empty if numbers would become large.
std::vector<LinearCoefficients> constant_forms(const std::vector<ProgramState>& states);

/// Building blocks of invariants that a program's text suggests.
struct MinedMaterial {
  std::vector<std::int64_t> numbers;  ///< its numbers and 0, ascending, each once
  std::vector<std::int64_t> bounds;   ///< these and their opposites, also plus and minus 1; ascending, each once
  std::vector<Atom> guards;           ///< its comparisons as atoms over the state, two for an equation; each once
  std::vector<std::vector<std::int64_t>> forms;  ///< their left sides, each once up to sign and common factors
};

/// Mines the comparisons of a program wherever they stand, also those over states after the step. A comparison that
/// connects the states before and after gives the form that it has when both are the same state.
MinedMaterial mine(const TransitionSystem& system);

// Clauses that may be part of an invariant. All of them hold in the given states, of which there is at least one.

/// The clauses of the program's pre- and postcondition.
std::vector<Clause> stated_clauses(const TransitionSystem& system, const std::vector<ProgramState>& states);

/// Each usual form (variables, sums and differences of two, x - c y for numbers c of the program, its own forms, and
/// those that are constant on the states), bounded by its largest value in the states and by the mined numbers next
/// above that.
std::vector<Clause> bounding_clauses(const TransitionSystem& system, const MinedMaterial& material,
                                     const std::vector<ProgramState>& states);

/// The same bounds under conditions, "not guard, or bounded", for the states in which the guard holds, the opposite of
/// an atom of the postcondition's clauses.
std::vector<Clause> guarded_clauses(const TransitionSystem& system, const MinedMaterial& material,
                                    const std::vector<ProgramState>& states);

/// Bounds of forms for each value of an integer variable, "location is not k, or bounded". Forms that are constant at
/// one value are among them.
std::vector<Clause> located_clauses(const TransitionSystem& system, std::size_t location, const MinedMaterial& material,
                                    const std::vector<ProgramState>& states);

/// A Boolean term over the state in conjunctive normal form, without the conjuncts that are not linear or have too many
/// clauses.
std::vector<Clause> clauses_of(const TransitionSystem& system, TermId term);

}  // namespace fovea::synthesis
