// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "fovea/base/budget.h"
#include "fovea/base/options.h"
#include "fovea/base/run.h"
#include "fovea/io/table/read_table.h"
#include "fovea/io/table/table_writer.h"
#include "fovea/linkage/components/component_clustering.h"
#include "fovea/linkage/components/component_solver.h"
#include "fovea/linkage/evaluate/cluster_metrics.h"
#include "fovea/linkage/job/label_learning.h"
#include "fovea/linkage/job/matching_job.h"
#include "fovea/linkage/matching/scored_pairs.h"

namespace fovea::report {
class Page;
}

namespace fovea::linkage {

/// The files and columns of a DedupeJob.
struct DedupeOptions {
  std::optional<DrawBy> draw_by;
  std::string output = "", cluster_column = "cluster", id = "", clusters = "", pairs = "", gold = "", must_link = "",
              cannot_link = "", golden = "", score = "", report_html = "", checkpoint = "", resume = "";

  static void describe(auto&& visit) {
    using O = DedupeOptions;
    visit(&O::output,
          output_file("output", "Table to write: the records, each with its cluster; standard output if omitted or -.",
                      'o'));
    visit(&O::cluster_column,
          option("cluster-column", "Name of the column of clusters, which is the last one.", "COLUMN"));
    visit(&O::golden,
          option("golden",
                 "Write one record for each cluster, whose cells are chosen by these rules: column:rule, separated by "
                 "commas. Rules: most-frequent (for columns without a rule), longest, shortest, first, last, "
                 "latest(COLUMN) and earliest(COLUMN) by dates or numbers in another column, max, min, and "
                 "join(\"; \") for all different cells. Missing cells are passed over.",
                 "RULES"));
    visit(&O::id, option("id", "Column of the records' unique ids; default: the first.", "COLUMN"));
    visit(&O::pairs, output_file("pairs", "Also write the pairs of records that may match, the most doubtful first."));
    visit(&O::must_link, input_file("must-link",
                                    "Table of pairs of records that are of one entity whatever the comparisons say, "
                                    "with the columns first_id and second_id."));
    visit(&O::cannot_link, input_file("cannot-link", "Table of pairs of records that are not of one entity."));
    visit(&O::score,
          option("score",
                 "Command that scores pairs of records instead of the comparisons, which only bring records together. "
                 "It reads lines with two records, {\"first\": {...}, \"second\": {...}}, and answers each with the "
                 "log odds that both are of one entity. It is asked about as few pairs as option 'exactness' allows.",
                 "COMMAND"));
    visit(&O::report_html,
          output_file(
              "report-html",
              "Also write a page for people: what each rule and comparison does, the probabilities of pairs, "
              "doubtful pairs to compare and to label, and the clusters, the weakest first. It needs no network."));
    visit(&O::gold, option("gold", "Column of true clusters, against which the result is scored.", "COLUMN"));
    visit(&O::draw_by, option("draw-by",
                              "What the random draws of a group of records follow from, besides the seed: the row or "
                              "the id of its first record. By id, a part of a table gets the clusters that the whole "
                              "gets with the same model. Default: as the model has it, else row."));
    visit(&O::checkpoint, OptionInfo{.name = "checkpoint",
                                     .description = "Where to save the progress, once a minute and on Ctrl-C.",
                                     .value_name = "FILE",
                                     .file = FileRole::kCheckpoint});
    visit(&O::resume, OptionInfo{.name = "resume",
                                 .description = "Checkpoint of the same job to continue from.",
                                 .value_name = "FILE",
                                 .file = FileRole::kResume});
    visit(&O::clusters, input_file("clusters",
                                   "Table of records with clusters, as 'dedupe' writes it. The records of TABLE are "
                                   "new: they join these clusters or form new ones. Needs option 'model'."));
  }
};

/// Limits on time and work, as texts.
struct DedupeLimitOptions {
  std::string time_limit = "", budget = "";

  static void describe(auto&& visit) {
    using O = DedupeLimitOptions;
    visit(&O::time_limit, time_limit_option());
    visit(&O::budget,
          option("budget",
                 "Maximum number of proposals, as in '20 sweeps' (for each record) or '1e8 transitions'; it limits "
                 "option 'sweeps'. The clusters are the same on every run, with any number of threads.",
                 "COUNT"));
  }

  /// Parses the limits. Throws UsageError.
  Budget parse() const;
};

/// The way of tables that are larger than the memory.
struct SpillOptions {
  std::string spill = "", memory_limit = "4GB";

  static void describe(auto&& visit) {
    using O = SpillOptions;
    visit(&O::spill, option("spill",
                            "Folder for parts of a table that is larger than the memory: it is read three times and "
                            "handled part by part, with the same clusters. Needs a model, and delimited text. What "
                            "stages have found stays there after a stop, and the same command goes on from it.",
                            "FOLDER"));
    visit(&O::memory_limit,
          option("memory-limit",
                 "Memory by which option 'spill' sizes its parts. A group of records that matches connect is not cut, "
                 "and takes what it needs.",
                 "BYTES"));
  }
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
  SpillOptions spilling = {};
  io::TableReadOptions reading = {};
  io::TableWriteOptions writing = {};
  PairScorer scorer = {};    ///< scores pairs instead of the comparisons, as option 'score' does
  bool keeps_pairs = false;  ///< the result has the pairs that may match
  /// Labelled pairs in memory instead of option 'labelled-pairs' (read_labelled_pairs; without option 'id' they name
  /// rows); null: none. Must outlive the call.
  const io::Table* pair_labels = nullptr;
  /// Pairs in memory instead of options 'must-link' and 'cannot-link', labelled in the same way; null: none.
  const io::Table* known_pairs = nullptr;

  std::function<void(const report::Page&)> take_page = {};  ///< gets the page of option 'report-html', if given
  std::size_t useful_first = 0;  ///< pairs of the page that come first, as their answers are worth most

  bool wants_page() const { return take_page || !options.report_html.empty(); }
  bool wants_pairs() const { return keeps_pairs || !options.pairs.empty() || wants_page(); }
};

/// The clusters of a table's records.
struct DedupeResult : RecordClusters {
  std::vector<ProbablePair> pairs = {};           ///< that may match, the most doubtful first; empty unless asked for
  std::optional<ClusterMetrics> metrics = {};     ///< against option 'gold'
  std::string model = "";                         ///< match model as JSON: what option 'save-model' writes
  std::optional<MatchingProposal> proposal = {};  ///< lists that were not given, and were proposed
  std::optional<std::uint64_t> asked = {};        ///< pairs that the scorer of the job was asked about, if it has one

  /// "7 records, 4 clusters; 0 proposals, 0 factors, 0 look-ups".
  std::string brief() const;
  /// A summary as one JSON object.
  std::string json() const;
};

/// Finds the records of a table in memory that refer to the same entity. Of the job, files of input and output are not
/// used except those of options 'model', 'statistics', 'labelled-pairs', 'checkpoint' and 'resume' and what they save,
/// and the page of option 'report-html' or `take_page`; option 'clusters' is not allowed.
/// Without option 'id', records go by their rows. A run that is stopped leaves the components that it did not reach as
/// they are, and warns; throws CancelledError or LimitError if it reached none.
DedupeResult dedupe(const io::Table& table, DedupeJob job, const Run& run = {});

/// The same from file to file: writes the table with a cluster for each record. Depending on the job, it instead adds
/// new records to clusters, only learns a model, or only reports what its MatchingJob asks for. Reports a summary as
/// JSON at the end if matching.as_json.
void dedupe_file(DedupeJob job, const Run& run);

}  // namespace fovea::linkage
