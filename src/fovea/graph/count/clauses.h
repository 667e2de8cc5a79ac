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

/// Lists of numbers, one after the other.
class NumberLists {
 public:
  /// visit(add), called twice, calls add(list, number) for each entry, both times in the same order.
  template <class Visit>
  NumberLists(std::size_t lists, const Visit& visit) : begins_(lists + 1, 0) {
    visit([&](std::size_t list, std::uint32_t) { ++begins_[list + 1]; });
    for (std::size_t i = 0; i < lists; ++i) begins_[i + 1] += begins_[i];
    numbers_.resize(begins_.back());
    std::vector<std::size_t> ends(begins_.begin(), begins_.end() - 1);
    visit([&](std::size_t list, std::uint32_t number) { numbers_[ends[list]++] = number; });
  }

  std::size_t size() const { return begins_.size() - 1; }
  std::span<const std::uint32_t> operator[](std::size_t list) const {
    return {numbers_.data() + begins_[list], numbers_.data() + begins_[list + 1]};
  }

 private:
  std::vector<std::size_t> begins_;
  std::vector<std::uint32_t> numbers_;
};

/// Occurrences of the atoms and literals of a ClauseModel.
struct ClauseIndex {
  NumberLists partners;    ///< [literal] -> atoms of the other literals in clauses of two
  NumberLists literals;    ///< [clause] -> its literals
  NumberLists clauses_of;  ///< [literal] -> clauses of three literals or more
  NumberLists soft_of;     ///< [atom] -> places in model.soft_factors
};

/// Throws LimitError if stopped.
ClauseIndex index_clauses(const ClauseModel& model, const Stop& stop);

}  // namespace fovea::graph::internal
