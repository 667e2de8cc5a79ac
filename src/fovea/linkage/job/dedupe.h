// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

#include "fovea/base/budget.h"
#include "fovea/base/options.h"
#include "fovea/base/run.h"
#include "fovea/io/table/read_table.h"
#include "fovea/io/table/table_writer.h"
#include "fovea/linkage/components/component_solver.h"
#include "fovea/linkage/job/label_learning.h"
#include "fovea/linkage/job/matching_job.h"

namespace fovea::linkage {

/// The files and columns of a DedupeJob.
struct DedupeOptions {
  std::optional<DrawBy> draw_by;
  std::string output = "", cluster_column = "cluster", id = "", clusters = "", pairs = "", gold = "", checkpoint = "",
              resume = "";

  template <class V>
  static void describe(V&& visit) {
    using O = DedupeOptions;
    visit(&O::output, OptionInfo{.name = "output",
                                 .description = "Table to write: the records, each with its cluster; standard "
                                                "output if omitted or -.",
                                 .value_name = "FILE",
                                 .letter = 'o',
                                 .file = FileRole::kOutput});
    visit(&O::cluster_column, OptionInfo{.name = "cluster-column",
                                         .description = "Name of the column of clusters, which is the last one.",
                                         .value_name = "COLUMN"});
    visit(&O::id, OptionInfo{.name = "id",
                             .description = "Column of the records' unique ids; default: the first.",
                             .value_name = "COLUMN"});
    visit(&O::pairs,
          OptionInfo{.name = "pairs",
                     .description = "Also write the pairs of records that may match, the most doubtful first.",
                     .value_name = "FILE",
                     .file = FileRole::kOutput});
    visit(&O::gold, OptionInfo{.name = "gold",
                               .description = "Column of true clusters, against which the result is scored.",
                               .value_name = "COLUMN"});
    visit(
        &O::draw_by,
        OptionInfo{.name = "draw-by",
                   .description = "What the random draws of a group of records follow from, besides the seed: the "
                                  "row or the id of its first record. By id, a part of a table gets the clusters "
                                  "that the whole gets with the same model. Default: as the model has it, else row."});
    visit(&O::checkpoint, OptionInfo{.name = "checkpoint",
                                     .description = "Where to save the progress, once a minute and on Ctrl-C.",
                                     .value_name = "FILE",
                                     .file = FileRole::kCheckpoint});
    visit(&O::resume, OptionInfo{.name = "resume",
                                 .description = "Checkpoint of the same job to continue from.",
                                 .value_name = "FILE",
                                 .file = FileRole::kResume});
    visit(&O::clusters, OptionInfo{.name = "clusters",
                                   .description = "Table of records with clusters, as 'dedupe' writes it. The records "
                                                  "of TABLE are new: they join these clusters or form new ones. Needs "
                                                  "option 'model'.",
                                   .value_name = "FILE",
                                   .file = FileRole::kInput});
  }
};

/// Limits on time and work, as texts.
struct DedupeLimitOptions {
  std::string time_limit = "", budget = "";

  template <class V>
  static void describe(V&& visit) {
    using O = DedupeLimitOptions;
    visit(&O::time_limit, time_limit_option());
    visit(&O::budget,
          OptionInfo{.name = "budget",
                     .description = "Maximum number of proposals, as in '20 sweeps' (for each record) or '1e8 "
                                    "transitions'; it limits option 'sweeps'. The clusters are the same on "
                                    "every run, with any number of threads.",
                     .value_name = "COUNT"});
  }

  /// Parses the limits. Throws UsageError.
  Budget parse() const;
};

/// A table, and how to find its clusters.
struct DedupeJob {
  std::string file = "";  ///< "-" is standard input
  DedupeOptions options = {};
  MatchingJob matching = {};
  LabelOptions labels = {};
  LearnMatchingOptions learning = {};
  ComponentClusteringOptions clustering = {};
  DedupeLimitOptions limits = {};
  io::TableReadOptions reading = {};
  io::TableWriteOptions writing = {};
};

/// Finds the records that refer to the same entity and writes the table with a cluster for each. Depending on the job,
/// it instead adds new records to clusters, only learns a model, or only reports what its MatchingJob asks for. Reports
/// a summary as JSON at the end if matching.as_json. A run that is stopped leaves the components that it did not reach
/// as they are, and warns; throws CancelledError or LimitError if it reached none.
void dedupe(DedupeJob job, const Run& run);

}  // namespace fovea::linkage
