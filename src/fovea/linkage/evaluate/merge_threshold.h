// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tsl/robin_map.h>

#include <cstdint>
#include <span>
#include <vector>

#include "fovea/base/pair_hash.h"
#include "fovea/linkage/clustering/average_link.h"
#include "fovea/linkage/evaluate/cluster_metrics.h"

namespace fovea::linkage {

/// B-cubed of a clustering that changes record by record, as while sampling: the n(c, e) of BCubed and both its sums
/// are kept up to date, in O(1) amortised per move. Records whose gold label is kUnlabelled may move and never count.
///
/// Rounding errors of the two sums add up, by about 1e-16 of their value per move.
class RunningBCubed {
 public:
  /// Takes the arguments of score_clusters(). Memory grows with the largest number of a cluster, so number clusters
  /// densely.
  RunningBCubed(std::span<const std::uint32_t> predicted, std::span<const std::uint32_t> gold);

  /// Notes that `record`, which was in cluster `from`, is now in cluster `to`.
  void move(std::uint32_t record, std::uint32_t from, std::uint32_t to);

  BCubed score() const;

 private:
  struct Cluster {
    std::int64_t squares = 0;  // sum over entities of n^2
    std::int64_t records = 0;  // labelled ones

    double share() const { return records == 0 ? 0 : static_cast<double>(squares) / static_cast<double>(records); }
  };

  void number_entities(std::span<const std::uint32_t> gold);
  /// Adds `step`, 1 or -1, to n(cluster, entity).
  void change(std::uint32_t cluster, std::uint32_t entity, int step);

  std::vector<std::uint32_t> entities_;                              // [record]: dense number, or kUnlabelled
  std::vector<std::uint32_t> entity_sizes_;                          // [entity]
  std::vector<Cluster> clusters_;                                    // [cluster]
  tsl::robin_map<std::uint64_t, std::uint32_t, PairHash> overlaps_;  // cluster << 32 | entity -> n, above 0
  double precision_sum_ = 0, recall_sum_ = 0;                        // N times precision and recall
  std::uint64_t records_ = 0;                                        // N
};

struct MergeThreshold {
  double score = 0;
  BCubed b_cubed;  ///< of the merges above it
};

/// Finds the threshold for merges of records 0 .. gold.size() - 1, which may come from many blocks, at which the
/// clusters have the highest B-cubed F1 with the gold labels. Merges with an infinite score are always made. O(n log
/// n).
MergeThreshold best_threshold(std::vector<Merge> merges, std::span<const std::uint32_t> gold);

}  // namespace fovea::linkage
