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

/// Finds the pairs of many rows that score more than `floor`, without scoring all of them. It needs a set S of
/// comparisons such that a pair that differs (or misses a value) in all of S cannot score more, however much it agrees
/// elsewhere:
///
///   prior + sum over c in S of max(weight of the common level, of a missing value) + sum over other c of the most
///     <= floor
///
/// (with classes of matches, the logarithm of the sum over them of the exponentials: MatchModel::prior_of_class).
/// Then only pairs are scored whose values of some comparison in S are alike: the equal ones, and those that
/// Comparison::compare_all() or a comparison of all distinct values finds. S is the set with the fewest such pairs.
/// is_wanted(pair) says whether a pair counts. Returns nullopt if there is no such set, or none that saves half of the
/// pairs. Throws CancelledError or LimitError when `stop` is requested.
std::optional<std::vector<ScoredPair>> find_links(const MatchModel& model, std::span<const std::uint32_t> rows,
                                                  double floor, const std::function<bool(RowPair)>& is_wanted,
                                                  const Stop& stop = {});

}  // namespace fovea::linkage
