// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "fovea/base/run_control.h"
#include "fovea/linkage/matching/scored_pairs.h"

namespace fovea::linkage {

/// Chooses pairs of which no two share a row, with the largest sum of score - `floor`: a maximum-weight matching of the
/// rows that come first in pairs with those that come second; no row may be both. The pairs that are chosen stay in
/// their order. Of several best choices, it always finds the same one.
///
/// The method is that of shortest augmenting paths (R. Jonker and A. Volgenant, A shortest augmenting path algorithm
/// for dense and sparse linear assignment problems, Computing 38, 1987), where a row may also stay alone. When `stop`
/// is requested, the rows that are left are paired as long as both are free, the best pairs first.
std::vector<ScoredPair> best_assignment(std::vector<ScoredPair> pairs, double floor, const Stop& stop = {});

}  // namespace fovea::linkage
