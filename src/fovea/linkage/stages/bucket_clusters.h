// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "fovea/base/run.h"
#include "fovea/linkage/components/component_solver.h"
#include "fovea/linkage/stages/block_keys.h"
#include "fovea/linkage/stages/match_plan.h"
#include "fovea/linkage/stages/record_bucket.h"

namespace fovea::linkage {

/// Clusters of records, by their numbers in the whole table.
struct BucketClusters {
  std::vector<std::uint32_t> records, clusters;  ///< [i] a record, and the first record of its cluster
  std::vector<double> confidence = {};           ///< [i] of the cluster; empty without samples
};

/// Ties between the records of a component.
enum class ConnectedBy {
  kLinks,   ///< pairs that match
  kBlocks,  ///< a single blocking rule: a component is a whole block, whose pairs are all scored
};

/// Clusters the components of a bucket, of at least two records each, that fill_component_buckets() or, for blocks,
/// fill_block_buckets() filled. Each component gets the clusters that it has in the whole table: of links, those in
/// large components are found again. `special`: the blocks that are left out. Throws CancelledError or LimitError.
BucketClusters clusters_of_bucket(const MatchPlan& plan, const ComponentClusteringOptions& options, ConnectedBy by,
                                  const SpecialBlocks& special, std::span<const std::string_view> bytes,
                                  const Run& run = {});

}  // namespace fovea::linkage
