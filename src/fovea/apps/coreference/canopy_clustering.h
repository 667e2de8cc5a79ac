// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "fovea/apps/coreference/blocking.h"
#include "fovea/apps/coreference/clustering_checkpoint.h"
#include "fovea/apps/coreference/job_control.h"
#include "fovea/apps/coreference/match_model.h"
#include "fovea/base/random.h"
#include "fovea/sample/clustering/clustering_chain.h"
#include "fovea/sample/clustering/cooling.h"
#include "fovea/sample/subsample/exactness.h"

namespace fovea {

struct CanopyClusteringOptions : ClusteringChainOptions, CoolingOptions, ExactnessOptions {
  CanopyClusteringOptions() { schedule = "learned"; }

  std::string start = "average-link";
  int sweeps = 100;
  int samples = 0;
  double sample_temperature = 1;

  template <class V>
  static void describe(V&& visit) {
    using O = CanopyClusteringOptions;
    visit(&O::start, OptionInfo{.name = "start",
                                .description = "Where chains begin: with the clusters of average link (blocks of over "
                                               "4000 different records: with none), every record alone, or all "
                                               "together.",
                                .choices = {"average-link", "singletons", "together"}});
    visit(&O::sweeps, OptionInfo{.name = "sweeps",
                                 .description = "Proposals for each record on the way to the best clustering.",
                                 .min = 0,
                                 .max = 1e6});
    visit(&O::samples, OptionInfo{.name = "samples",
                                  .description = "Clusterings to draw afterwards, which tell how sure each cluster is; "
                                                 "0: none.",
                                  .min = 0,
                                  .max = 1e6});
    visit(
        &O::sample_temperature,
        OptionInfo{.name = "sample-temperature",
                   .description = "Divides the log score where samples are drawn: pairs of two entities are counted as "
                                  "if they were independent, which makes it too sure of itself at 1.",
                   .min = 1e-3,
                   .max = 1e6});
    ExactnessOptions::describe(visit);
    ClusteringChainOptions::describe(visit);
    CoolingOptions::describe(visit);
  }
};

/// What is to be clustered: the rows of each canopy; all others stay alone.
struct CanopyTask {
  const MatchModel& model;  ///< scores pairs ...
  double least_score = 0;   ///< ... and this is taken off: two rows match if their score is higher
  const Blocks& canopies;
  std::size_t row_count = 0;
  /// Pairs to be told the probability of; each within one canopy, or apart for sure.
  std::vector<RowPair> watched = {};
  /// [row] true entities (kUnlabelled where unknown), for the B-cubed F1 of what is done so far; or none.
  std::span<const std::uint32_t> gold = {};
  /// Files: where to keep what is done, once in a while and when asked to stop; and one of the same task to go on from.
  /// None if empty.
  std::string checkpoint = {}, resume = {};
};

/// Clusters each canopy: few rows exactly (SubsetClustering), many by a chain that is cooled (ClusteringChain). Rows
/// that no comparison tells apart are clustered as one. Every canopy draws from its own child of `random`, named by its
/// first row: the result depends neither on threads nor on other canopies. If it is asked to stop, keeps what it has.
/// Throws InputError for a checkpoint that cannot be written or read, or is of another task.
RecordClusters cluster_canopies(const CanopyTask& task, const CanopyClusteringOptions& options, const Random& random,
                                const JobControl& control = {});

}  // namespace fovea
