// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

#include "fovea/base/stop.h"
#include "fovea/graph/factor_graph.h"

namespace fovea {

struct SumSimplificationOptions {
  /// A variable is summed out where the table that replaces its factors has at most this many entries, or no more than
  /// they have together (so variables of one or two neighbours nearly always are).
  std::size_t max_table_entries = 16;
  /// Larger tables are not searched for independences.
  std::size_t max_split_entries = 4096;
};

/// A smaller model with the same log Z; its variables have nothing to do with the whole model's.
///
/// Repeats, until nothing changes:
///  - sums variables out whose bucket is cheap;
///  - removes values that a factor excludes, and variables of one value left;
///  - merges values a, b of a variable where every factor says f(a, .) = f(b, .) + constant (allele recoding in linkage
///    analysis is a case of it, O'Connell and Weeks 1995);
///  - replaces a factor f(x, y, rest) in which x and y are independent given the rest by g(x, rest) h(y, rest), which
///    takes an edge out of the graph; hard constraints often leave such factors once values are gone;
///  - adds factors up whose scope lies inside another's.
///
/// Throws InfeasibleError where it finds that every assignment breaks a constraint (it need not find it). When `stop`
/// is requested, what was reached so far is returned.
FactorGraph simplify_sum(const FactorGraph& graph, const SumSimplificationOptions& options = {}, const Stop& stop = {});

}  // namespace fovea
