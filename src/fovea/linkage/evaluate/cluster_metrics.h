// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "fovea/base/match_counts.h"

namespace fovea::linkage {

/// The gold label of a record whose entity is not known.
inline constexpr std::uint32_t kUnlabelled = 0xFFFFFFFF;

/// B-cubed (Bagga and Baldwin 1998), every record weighing the same. With n(c, e) records of entity e in cluster c,
///
///   precision = 1/N sum over c, e of n(c, e)^2 / |c|      recall = 1/N sum over c, e of n(c, e)^2 / |e|
///
/// that is, how much of a record's cluster is of its entity, and how much of its entity is in its cluster. 0 without
/// records.
struct BCubed {
  double precision = 0, recall = 0;

  double f1() const { return recall > 0 ? 2 * precision * recall / (precision + recall) : 0; }
};

/// Measures of how well predicted clusters of records match gold ones, the entities. Records without a gold label are
/// left out before anything is counted: the size of a cluster is the number of its labelled records.
struct ClusterMetrics {
  std::uint64_t records = 0;     ///< with a gold label
  std::uint64_t unlabelled = 0;  ///< records left out
  std::uint64_t largest_cluster = 0, largest_entity = 0;

  BCubed b_cubed;
  /// Unordered pairs of records that lie in one entity, in one cluster, in both. Exact below 2^32 records. Without
  /// such pairs a rate is 0 / 0, which counts as 0: so singletons score 0 here even where singletons are right.
  MatchCounts pairs;
  /// Entities, clusters, and clusters that are a whole entity and nothing else.
  MatchCounts clusters;

  /// One line: F1, precision and recall of all three.
  std::string brief() const;
  /// A table with the counts behind the rates.
  std::string full() const;
  /// Everything as one JSON object.
  std::string json() const;
};

/// Scores a clustering: predicted[m] and gold[m] are the cluster and the entity of record m, as arbitrary numbers; a
/// gold label of kUnlabelled leaves the record out. Fewer than 2^32 records. O(n log n) time (one sort of 64-bit keys),
/// O(n) memory.
ClusterMetrics score_clusters(std::span<const std::uint32_t> predicted, std::span<const std::uint32_t> gold);

}  // namespace fovea::linkage
