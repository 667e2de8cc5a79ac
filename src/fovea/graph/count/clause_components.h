// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "fovea/graph/count/clause_trail.h"
#include "fovea/graph/count/clauses.h"
#include "fovea/graph/count/component_cache.h"
#include "fovea/graph/model/factor_graph.h"

namespace fovea::graph::internal {

/// Atoms that clauses or tables connect, these tables, and a hash of everything that determines their sum.
struct ClauseComponent {
  std::vector<Atom> atoms = {};
  std::vector<std::uint32_t> soft = {};  ///< places in model.soft_factors
  SetHash hash = {};
  Literal decision = 0;  ///< to be decided first
};

/// Splits the open part of a model into components. A component is identified by its open atoms, its clauses that are
/// not satisfied yet (those of two literals follow from the atoms) and, for each table, the place that the decided
/// variables select in it; learned clauses follow from these. The first decision is about the atom with the most open
/// clauses and the most recent contradictions (VSADS: Sang, Beame and Kautz 2005, "Heuristics for fast exact model
/// counting").
class ClauseComponents {
 public:
  /// Keeps references to all arguments.
  ClauseComponents(const FactorGraph& graph, const ClauseModel& model, const ClauseIndex& index,
                   const ClauseTrail& trail);

  /// Component of every atom and table.
  ClauseComponent whole() const;

  /// Finds the open parts of `parent`, small ones first, since they may turn out to have no solution. Returns the log
  /// weight of what is decided in `parent` and of its open atoms that nothing constrains; literals assigned outside
  /// `parent` do not count.
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
