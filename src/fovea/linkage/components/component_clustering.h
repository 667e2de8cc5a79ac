// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "fovea/base/run.h"
#include "fovea/linkage/blocking/blocking.h"
#include "fovea/linkage/components/clustering_checkpoint.h"
#include "fovea/linkage/components/component_solver.h"
#include "fovea/linkage/matching/match_model.h"

namespace fovea::linkage {

/// What is to be clustered: the rows of each component; all others stay alone.
struct ComponentTask {
  const MatchModel& model;  ///< scores pairs ...
  double least_score = 0;   ///< ... and this is taken off: two rows match if their score is higher
  const Blocks& components;
  std::size_t row_count = 0;
  /// Pairs to be told the probability of; each within one component, or apart for sure.
  std::vector<RowPair> watched = {};
  /// [row] true entities (kUnlabelled where unknown), for the B-cubed F1 of what is done so far; or none.
  std::span<const std::uint32_t> gold = {};
  /// Files: where to keep what is done, once in a while and when asked to stop; and one of the same task to go on from.
  /// None if empty.
  std::string checkpoint = {}, resume = {};
};

/// Clusters each component: few rows exactly (SubsetClustering), many by a chain that is cooled (ClusteringChain). Rows
/// that no comparison tells apart are clustered as one. Every component draws from its own child of `random`, named by
/// its first row: the result depends neither on threads nor on other components. If it is asked to stop, keeps what it
/// has. Throws InputError for a checkpoint that cannot be written or read, or is of another task.
RecordClusters cluster_components(const ComponentTask& task, const ComponentClusteringOptions& options,
                                  const Run& run = {});

}  // namespace fovea::linkage
