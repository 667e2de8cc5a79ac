// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "fovea/base/run_control.h"
#include "fovea/linkage/matching/match_model.h"
#include "fovea/linkage/matching/scored_pairs.h"

namespace fovea::linkage {

/// Finds the pairs of many rows that score more than `floor`, without scoring all of them.
///
/// For each comparison, the values that are alike are listed: those of pairs at a level that few pairs reach. A row
/// looks for its partners among the rows that are alike in some comparison of a set S of its own. A partner that is
/// alike in none of S cannot score more than the floor, however much it agrees elsewhere:
///
///   prior + sum over c in S of the most below the listed levels (or of a missing value)
///         + sum over other c of the most that the row's value can add <= floor
///
/// (with classes k of matches, the logarithm of the sum over them of the exponentials: MatchModel::prior_of_class). S
/// leaves out the comparisons in which most rows are alike, as long as that holds. Rows without such a set are compared
/// with each other. is_wanted(pair) says whether a pair counts. Returns nullopt if that saves less than half of the
/// pairs. Throws CancelledError or LimitError when `stop` is requested.
std::optional<std::vector<ScoredPair>> find_links(const MatchModel& model, std::span<const std::uint32_t> rows,
                                                  double floor, const std::function<bool(RowPair)>& is_wanted,
                                                  const Stop& stop = {});

}  // namespace fovea::linkage
