// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "fovea/base/run_control.h"
#include "fovea/graph/model/factor_graph.h"

namespace fovea::graph::internal {

/// A statement that is true or false: "the variable has value 1" for a variable of two values, "the variable has value
/// k" for every k of a variable of more. A variable with a single value has no atom.
using Atom = std::uint32_t;

/// 2 * atom: the atom is true; 2 * atom + 1: it is false.
using Literal = std::uint32_t;

inline Atom atom_of(Literal literal) { return literal / 2; }
inline Literal negation(Literal literal) { return literal ^ 1u; }

/// A graph as weighted clauses in propositional logic (the direct encoding: at least one value, never two) and the
/// tables that are more than constraints.
struct ClauseModel {
  std::vector<Atom> first_atom = {0};              ///< [variable + 1]
  std::vector<double> weights = {};                ///< [literal], log domain, finite
  std::vector<std::vector<Literal>> clauses = {};  ///< at least one literal must be true; none is repeated
  std::vector<FactorId> soft_factors = {};         ///< at least two variables; entries may be -inf
  std::vector<std::uint32_t> soft_begins = {0};    ///< [soft factor + 1] in soft_atoms
  std::vector<Atom> soft_atoms = {};               ///< atoms of all variables of each soft factor
  double constant = 0;                             ///< log domain; -inf: nothing is feasible

  std::size_t atom_count() const { return first_atom.back(); }
  /// The literal "variable v has value k"; v has at least two.
  Literal literal(VariableId v, std::size_t k) const {
    const bool is_binary = first_atom[v + 1] - first_atom[v] == 1;
    return is_binary ? 2 * first_atom[v] + (k == 0) : 2 * (first_atom[v] + static_cast<Atom>(k));
  }
  std::span<const Atom> atoms_of_soft(std::size_t soft) const {
    return std::span(soft_atoms).subspan(soft_begins[soft], soft_begins[soft + 1] - soft_begins[soft]);
  }
};

/// Throws LimitError if stopped, or if variables of very many values would need too many clauses.
ClauseModel make_clauses(const FactorGraph& graph, const Stop& stop);

}  // namespace fovea::graph::internal
