// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>

#include "fovea/base/run_control.h"
#include "fovea/graph/model/factor_graph.h"

namespace fovea::graph {

struct WeightedCountingOptions {
  double cache_bytes = 1e9;  ///< older cached components are forgotten if all would need more
  std::uint64_t max_decisions = std::numeric_limits<std::uint64_t>::max();
  std::size_t max_learned = 2000;  ///< learned clauses to keep at first; more in the long run
};

struct WeightedCount {
  double log_z = 0;  ///< -inf if no assignment is feasible
  std::uint64_t decisions = 0, cache_hits = 0;
};

/// Computes log Z by search, for models of many hard constraints whose junction trees would be far too wide.
///
/// The model is read as weighted clauses (graph/count/clauses.h). An atom is decided, unit propagation follows,
/// literals that would now fail are made false, the rest falls into components that share no clause, each is counted on
/// its own, and the sums of components are cached under a 128-bit hash of what is left of them; contradictions leave
/// clauses behind (Sang, Bacchus, Beame, Kautz and Pitassi 2004, "Combining component caching and clause learning for
/// effective model counting"; Thurley 2006, "sharpSAT"). Two components with the same hash would be confused; the
/// probability is below 1e-20 per pair. Learned clauses follow from the whole model, not from a component, so the sums
/// cached for siblings of a component without a solution are forgotten.
///
/// Any graph is legal, including tables that are not constraints; each decision takes time in proportion to its
/// component. Throws LimitError if stopped, after max_decisions, or if variables have very many values.
WeightedCount count_weighted(const FactorGraph& graph, const WeightedCountingOptions& options = {},
                             const Stop& stop = {});

/// True if every factor of two variables or more only separates the possible from the impossible: all its finite scores
/// are equal.
bool has_only_constraints(const FactorGraph& graph);

}  // namespace fovea::graph
