// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <span>

#include "fovea/base/run_control.h"
#include "fovea/graph/model/factor_graph.h"

namespace fovea::graph {

/// What one look at each table says of the partition function Z. Natural logarithms.
struct PartitionGuess {
  /// log Z if factors were independent of each other under the uniform law: log(number of assignments) + sum_f log(mean
  /// entry of f). Exact where no two factors share a variable; elsewhere off by any amount, to either side.
  double log_z = 0;
  /// log Z is at most this: of the factors some with disjoint scopes are summed, the others count with their highest
  /// entries.
  double upper_bound = 0;
};

/// O(table entries + scopes). -inf in both where a factor forbids everything; nothing where stopped. `maximised`:
/// [variable], nonzero where the bound is to hold for the maximum over its values, not the sum; empty: none.
std::optional<PartitionGuess> guess_partition(const FactorGraph& graph, const Stop& stop = {},
                                              std::span<const char> maximised = {});

}  // namespace fovea::graph
