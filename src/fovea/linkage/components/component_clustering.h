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
#include "fovea/linkage/components/pair_scorer.h"
#include "fovea/linkage/matching/known_pairs.h"
#include "fovea/linkage/matching/match_model.h"
#include "fovea/linkage/matching/scored_pairs.h"

namespace fovea::linkage {

/// Task: cluster the rows of each component; all other rows stay alone.
struct ComponentTask {
  const MatchModel& model;  ///< scores pairs ...
  double least_score = 0;   ///< ... minus this: two rows match if their score is higher
  const Blocks& components;
  std::size_t row_count = 0;
  /// Pairs whose probability is asked for. That of two components is NaN: they were never together.
  std::vector<RowPair> watched = {};
  /// Pairs that connect the components, with their scores; or empty, where components are blocks. Must outlive it.
  std::span<const ScoredPair> links = {};
  /// Scores pairs instead of the model; null: the model does. Must outlive it.
  const PairScorer* scorer = nullptr;
  /// Pairs of which somebody knows whether they match (null: none); `links` have their scores.
  const KnownPairs* known = nullptr;
  /// [row] true entities (kUnlabelled where unknown), for the B-cubed F1 of the progress reports; or empty.
  std::span<const std::uint32_t> gold = {};
  /// Files: the checkpoint to write from time to time and when asked to stop, and a checkpoint of the same task to
  /// continue from. Empty for none.
  std::string checkpoint = {}, resume = {};
  /// [row] number of the stream from which a component draws whose first row it is; empty: the row.
  std::vector<std::uint64_t> streams = {};
};

/// Clusters each component: few rows exactly (SubsetClustering), many by a chain that is cooled (ClusteringChain). Rows
/// that no comparison tells apart are clustered as one. Every component draws from its own child of `random`, named by
/// its first row or by task.streams: the result depends neither on threads nor on other components. When asked to stop,
/// it keeps the results so far; at a deadline, components of up to four rows are clustered all the same. Throws
/// InputError for a checkpoint that cannot be written or read, or that belongs to another task.
RecordClusters cluster_components(const ComponentTask& task, const ComponentClusteringOptions& options,
                                  const Run& run = {});

}  // namespace fovea::linkage
