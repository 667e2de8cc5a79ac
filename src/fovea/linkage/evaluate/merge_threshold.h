// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "fovea/linkage/clustering/average_link.h"
#include "fovea/linkage/evaluate/cluster_metrics.h"

namespace fovea::linkage {

struct MergeThreshold {
  double score = 0;
  BCubed b_cubed;  ///< of the merges above it
};

/// The threshold for merges of records 0 .. gold.size() - 1, which may come from many blocks, whose clusters have the
/// highest B-cubed F1 with the gold labels. Scores of infinity are merges that are made in any case. O(n log n).
MergeThreshold best_threshold(std::vector<Merge> merges, std::span<const std::uint32_t> gold);

}  // namespace fovea::linkage
