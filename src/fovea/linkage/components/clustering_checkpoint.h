// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "fovea/linkage/clustering/clustering_chain.h"

namespace fovea::linkage {

/// Clusters of records, and how they were found.
struct RecordClusters {
  std::vector<std::uint32_t> clusters;     ///< [row] the first row of its cluster
  std::vector<double> confidence = {};     ///< [row] of its cluster (ClusteringPosterior); empty without samples
  std::vector<double> probabilities = {};  ///< [watched pair] that it is one entity; empty without samples. Both are
                                           ///< NaN where a component was left
  ClusteringWork work = {};
  std::uint64_t components = 0;  ///< number that were clustered
  std::uint64_t left = 0;        ///< number unfinished at a stop: their records are alone, or in unfinished clusters
  std::uint64_t begun = 0;       ///< of those left, the ones with unfinished clusters

  std::size_t cluster_count() const;
};

/// Size of a clustering.
struct ClusteringShape {
  std::size_t components = 0, rows = 0;
  std::size_t watched = 0;   ///< pairs
  bool has_samples = false;  ///< with confidences and probabilities
};

/// Checkpoint of a clustering that continues later. Components do not depend on each other, so it holds the results of
/// those that are done.
struct ClusteringCheckpoint {
  RecordClusters found;
  std::vector<std::uint8_t> is_done;  ///< [component]

  /// Writes the checkpoint. `fingerprint` is a hash of everything that the result depends on. Throws InputError.
  void save(const std::string& path, std::uint64_t fingerprint) const;

  /// Reads a checkpoint. Throws InputError for a file that is damaged, has another fingerprint or does not fit the
  /// shape.
  static ClusteringCheckpoint load(const std::string& path, std::uint64_t fingerprint, const ClusteringShape& shape);
};

}  // namespace fovea::linkage
