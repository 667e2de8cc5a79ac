// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "fovea/linkage/blocking/candidate_pairs.h"
#include "fovea/linkage/matching/scored_pairs.h"

namespace fovea::linkage {

/// Chooses the pairs whose answers are worth most, `count` at most: the most doubtful first, as `pairs` are, but no
/// record more than twice, as one entity with many records would otherwise take all questions. Returns their places.
std::vector<std::size_t> most_useful(std::span<const RowPair> pairs, std::size_t count);
std::vector<std::size_t> most_useful(std::span<const ProbablePair> pairs, std::size_t count);

}  // namespace fovea::linkage
