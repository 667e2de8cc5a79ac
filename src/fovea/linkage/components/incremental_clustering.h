// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "fovea/io/table/table.h"
#include "fovea/linkage/matching/match_model.h"
#include "fovea/linkage/matching/scored_pairs.h"

namespace fovea::linkage {

/// Clustered records, followed by new ones, in one table.
struct ClusteredRecords {
  io::Table table;
  std::size_t id_column = 0, cluster_column = 0;
  std::vector<std::uint32_t> clusters;  ///< [old row] the first row of its cluster

  std::uint32_t old_count() const { return static_cast<std::uint32_t>(clusters.size()); }
};

/// A table of clustered records, and which columns hold their clusters and their ids.
struct OldRecords {
  const io::Table& table;
  std::size_t cluster_column = 0;
  std::optional<std::size_t> id_column = {};  ///< nullopt: records have no ids
};

/// Appends `more` to `old`. Columns are matched by name. `id_column`: that of `more`, if records have ids. Throws
/// InputError (file:line) for an id that both have or that is the name of an old cluster, a record of `old` without a
/// cluster, a column of clusters in `more`, and columns of ids with different names.
ClusteredRecords append_records(const OldRecords& old, const io::Table& more, std::size_t id_column = 0);

/// Clusters of new records next to clustered ones.
struct IncrementalClusters {
  /// [row] the first row of its cluster; unchanged for old rows.
  std::vector<std::uint32_t> clusters;
  std::uint64_t joined = 0;  ///< new records in old clusters
  /// New records that match more than one old cluster; these clusters stay apart.
  std::vector<std::uint32_t> between;
};

/// Lets new rows, those from `old_clusters.size()` on, join old clusters or found new ones; old rows never move, so
/// that nobody's clusters change behind their back. old_clusters: [old row] the first row of its cluster.
///
/// Each new row in turn joins the best of the clusters to which `pairs` connect it: the one with the highest sum of
/// scores with the members, minus `least_score` for each; or none if no sum is positive. This is repeated until nothing
/// moves (iterated conditional modes), at most ten times. A row takes as many scores as its clusters have members.
IncrementalClusters cluster_new_rows(const MatchModel& model, double least_score,
                                     std::span<const std::uint32_t> old_clusters, std::size_t row_count,
                                     std::span<const ScoredPair> pairs);

}  // namespace fovea::linkage
