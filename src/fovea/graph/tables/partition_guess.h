// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <span>

#include "fovea/base/run_control.h"
#include "fovea/graph/model/factor_graph.h"

namespace fovea::graph {

/// Estimate and bound of the partition function Z from one look at each table. Natural logarithms.
struct PartitionGuess {
  /// log Z if factors were independent of each other under the uniform law: log(number of assignments) + sum_f log(mean
  /// entry of f). Exact where no two factors share a variable; elsewhere off by any amount, to either side.
  double log_z = 0;
  /// Upper bound on log Z: some factors with disjoint scopes are summed, and the others count with their highest
  /// entries.
  double upper_bound = 0;
};

/// O(table entries + scopes). Both are -inf if a factor forbids everything; returns nothing if stopped. `maximised`:
/// [variable], nonzero if the bound is to hold for the maximum over its values, not the sum; empty: for no variable.
std::optional<PartitionGuess> guess_partition(const FactorGraph& graph, const Stop& stop = {},
                                              std::span<const char> maximised = {});

}  // namespace fovea::graph
