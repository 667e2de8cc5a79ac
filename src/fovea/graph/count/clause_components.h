// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "fovea/graph/count/clause_index.h"
#include "fovea/graph/count/clause_trail.h"
#include "fovea/graph/count/clauses.h"
#include "fovea/graph/count/component_cache.h"
#include "fovea/graph/model/factor_graph.h"

namespace fovea::graph::internal {

/// Atoms that clauses or tables connect, the tables, and a hash of all that decides their sum.
struct ClauseComponent {
  std::vector<Atom> atoms = {};
  std::vector<std::uint32_t> soft = {};  ///< places in model.soft_factors
  SetHash hash = {};
  Literal decision = 0;  ///< to be decided first
};

/// Takes what is open of a model apart. A component is known by its open atoms, its clauses that are not satisfied yet
/// (those of two literals follow from the atoms) and, for each table, where the decided variables are in it: clauses
/// that were learned follow from these. It is decided first about the atom in most open clauses and most contradictions
/// of late (VSADS: Sang, Beame and Kautz 2005, "Heuristics for fast exact model counting").
class ClauseComponents {
 public:
  /// Keeps references.
  ClauseComponents(const FactorGraph& graph, const ClauseModel& model, const ClauseIndex& index,
                   const ClauseTrail& trail);

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
  std::uint64_t visit_clause(std::uint32_t clause, ClauseComponent& component);
  void visit_soft(std::uint32_t soft, ClauseComponent& component);
  void add_atom(Atom a, ClauseComponent& component);
  bool is_decided(std::uint32_t soft) const;
  std::size_t offset(std::uint32_t soft) const;

  const FactorGraph& graph_;
  const ClauseModel& model_;
  const ClauseIndex& index_;
  const ClauseTrail& trail_;
  std::vector<std::uint64_t> seen_atoms_, seen_soft_;  // last stamps
  std::vector<std::uint64_t> seen_clauses_;            // twice the last stamp; one more if it was not satisfied
  std::uint64_t stamp_ = 0;
};

}  // namespace fovea::graph::internal
