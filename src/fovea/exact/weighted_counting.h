// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "fovea/base/stop.h"
#include "fovea/graph/factor_graph.h"

namespace fovea {

struct WeightedCountingOptions {
  double cache_bytes = 1e9;  ///< the older half of the cached components is forgotten where it would need more
};

struct WeightedCount {
  double log_z = 0;  ///< -inf if no assignment is feasible
  std::uint64_t decisions = 0, cache_hits = 0;
};

/// log Z by search: for models of many hard constraints whose junction trees would be far too wide.
///
/// A variable is decided, hard constraints propagate (unit propagation on nogoods), what is left falls into components
/// that share no constraint, each is counted on its own, and the sums of components are cached under a 128-bit hash of
/// what is left of them (Sang, Bacchus, Beame, Kautz and Pitassi 2004, "Combining component caching and clause learning
/// for effective model counting", without the learning; Thurley 2006). Two components of one hash would be confused,
/// with probability below 1e-20 per pair. The variable in most constraints that are not satisfied yet is decided first.
///
/// Any graph is legal, tables that are no constraints included; each decision takes time in proportion to its
/// component. Throws LimitError if stopped.
WeightedCount count_weighted(const FactorGraph& graph, const WeightedCountingOptions& options = {},
                             const Stop& stop = {});

}  // namespace fovea
