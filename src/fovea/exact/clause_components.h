// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "fovea/exact/clause_trail.h"
#include "fovea/exact/clauses.h"
#include "fovea/exact/component_cache.h"
#include "fovea/graph/factor_graph.h"

namespace fovea::internal {

/// log(exp(a) + exp(b)); either may be -inf.
double add_logs(double a, double b);

/// Atoms that clauses or tables connect, the tables, and a hash of all that decides their sum.
struct ClauseComponent {
  std::vector<Atom> atoms = {};
  std::vector<std::uint32_t> soft = {};  ///< places in model.soft_factors
  SetHash hash = {};
  Literal decision = 0;  ///< to be decided first
};

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

  std::span<const std::uint32_t> operator[](std::size_t list) const {
    return {numbers_.data() + begins_[list], numbers_.data() + begins_[list + 1]};
  }

 private:
  std::vector<std::size_t> begins_;
  std::vector<std::uint32_t> numbers_;
};

/// Takes what is open of a model apart. A component is known by its open atoms, its clauses that are not satisfied yet
/// (those of two literals follow from the atoms) and, for each table, where the decided variables are in it: clauses
/// that were learned follow from these. It is decided first about the atom in most open clauses and most contradictions
/// of late (VSADS: Sang, Beame and Kautz 2005, "Heuristics for fast exact model counting").
class ClauseComponents {
 public:
  /// Keeps references.
  ClauseComponents(const FactorGraph& graph, const ClauseModel& model, const ClauseTrail& trail);

  /// Every atom and table.
  ClauseComponent whole() const;

  /// The parts of `parent` that are open, the small ones first: they may turn out to have no solution. Returns the log
  /// weight of what is decided in `parent` and of its open atoms that nothing constrains; literals that were assigned
  /// outside `parent` do not count.
  double split(const ClauseComponent& parent, std::vector<ClauseComponent>& parts);

 private:
  double decided_weight(const ClauseComponent& parent) const;
  ClauseComponent grow(Atom start);
  std::size_t visit_occurrences(Literal l, ClauseComponent& component);
  void visit_clause(std::uint32_t clause, ClauseComponent& component);
  void visit_soft(std::uint32_t soft, ClauseComponent& component);
  void add_atom(Atom a, ClauseComponent& component);
  bool is_decided(std::uint32_t soft) const;
  std::size_t offset(std::uint32_t soft) const;

  const FactorGraph& graph_;
  const ClauseModel& model_;
  const ClauseTrail& trail_;
  NumberLists partners_;    // [literal] -> atoms of the other literals in clauses of two
  NumberLists literals_;    // [clause], of three or more
  NumberLists clauses_of_;  // [literal], of three or more
  NumberLists soft_of_;     // [atom]
  std::vector<std::uint64_t> seen_atoms_, seen_clauses_, seen_soft_;
  std::vector<char> is_active_;  // [clause], where seen in the last split
  std::uint64_t stamp_ = 0;
};

}  // namespace fovea::internal
