// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "fovea/base/run.h"
#include "fovea/io/table/table.h"
#include "fovea/linkage/components/component_solver.h"
#include "fovea/linkage/stages/block_keys.h"
#include "fovea/linkage/stages/block_links.h"
#include "fovea/linkage/stages/group_gatherer.h"
#include "fovea/linkage/stages/match_plan.h"

namespace fovea::linkage {

/// Clusters of records, by their numbers in the whole table.
struct PartClusters {
  std::vector<std::uint32_t> records, clusters;  ///< [i] a record, and the first record of its cluster
  std::vector<double> confidence = {};           ///< [i] of the cluster; empty without samples
  ClusteringWork work = {};
  std::uint64_t components = 0;

  void add(const PartClusters& more);
};

/// The ties between the records of a component.
enum class ConnectedBy {
  kLinks,   ///< pairs that match
  kBlocks,  ///< a single blocking rule: a component is a whole block, whose pairs are all scored
};

/// Clusters whole components as their records come: records with the columns kComponent (or kKey, for blocks) and kRow,
/// sorted by these. Each component gets the clusters that it has in the whole table: of links, the large ones are found
/// again.
class ComponentClusters {
 public:
  /// `id`: column of ids, for a plan that draws by id.
  ComponentClusters(const MatchPlan& plan, const ComponentClusteringOptions& options, ConnectedBy by,
                    SpecialBlocks special = {}, std::string id = "");

  /// Adds records; returns the clusters of the components that are whole by then.
  PartClusters add(const io::Table& records, const Run& run = {});
  /// The clusters of the components that are left.
  PartClusters finish(const Run& run = {});

 private:
  PartClusters cluster(const GroupWindow& window, const Run& run) const;
  /// The links in components that are too large to score all their pairs.
  std::vector<ScoredPair> links_in(const GroupWindow& window, const std::vector<std::uint32_t>& numbers,
                                   const MatchModel& model, const Run& run) const;

  MatchPlan plan_;
  ComponentClusteringOptions options_;
  ConnectedBy by_;
  SpecialBlocks special_;
  std::string id_;
  GroupGatherer gatherer_;
};

}  // namespace fovea::linkage
