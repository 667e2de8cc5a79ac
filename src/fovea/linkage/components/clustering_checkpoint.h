// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "fovea/linkage/clustering/clustering_chain.h"

namespace fovea::linkage {

/// Which records are of one entity.
struct RecordClusters {
  std::vector<std::uint32_t> clusters;     ///< [row] the first row of its cluster
  std::vector<double> confidence = {};     ///< [row] of its cluster (ClusteringPosterior); empty without samples
  std::vector<double> probabilities = {};  ///< [watched pair] that it is one entity; empty without samples. Both are
                                           ///< not a number where a component was left
  ClusteringWork work = {};
  std::uint64_t components = 0;  ///< that were clustered
  std::uint64_t left = 0;   ///< that were not, being asked to stop: their records are alone, or as far as they came
  std::uint64_t begun = 0;  ///< of those left, the ones whose records are as far as they came

  std::size_t cluster_count() const;
};

/// How large a clustering is.
struct ClusteringShape {
  std::size_t components = 0, rows = 0;
  std::size_t watched = 0;   ///< pairs
  bool has_samples = false;  ///< there are confidences and probabilities
};

/// What is kept of a clustering that goes on later: components do not depend on each other, so this is what was found
/// of those that are done.
struct ClusteringCheckpoint {
  RecordClusters found;
  std::vector<std::uint8_t> is_done;  ///< [component]

  /// `fingerprint`: of all that the result depends on. Throws InputError.
  void save(const std::string& path, std::uint64_t fingerprint) const;

  /// Throws InputError for a file that is damaged, has another fingerprint or does not fit the shape.
  static ClusteringCheckpoint load(const std::string& path, std::uint64_t fingerprint, const ClusteringShape& shape);
};

}  // namespace fovea::linkage
