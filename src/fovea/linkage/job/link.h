// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "fovea/base/budget.h"
#include "fovea/base/options.h"
#include "fovea/base/run.h"
#include "fovea/io/table/read_table.h"
#include "fovea/io/table/table_writer.h"
#include "fovea/linkage/job/matching_job.h"
#include "fovea/linkage/matching/scored_pairs.h"

namespace fovea::linkage {

/// The files and columns of a LinkJob.
struct LinkOptions {
  std::string output = "", id = "", second_id = "", second_encoding = "";
  bool one_to_one = false;

  static void describe(auto&& visit) {
    using O = LinkOptions;
    visit(&O::output, output_file("output", "Table of links to write; standard output if omitted or -.", 'o'));
    visit(&O::id, option("id", "Column of the unique ids in FIRST; default: the first.", "COLUMN"));
    visit(&O::second_id, option("second-id", "Column of the unique ids in SECOND; default: the first.", "COLUMN"));
    visit(&O::second_encoding, option("second-encoding", "Encoding of SECOND; default: that of FIRST.", "TEXT"));
    visit(&O::one_to_one,
          option("one-to-one",
                 "Link no record twice: of several links of a record, keep the best. For tables without duplicates."));
  }
};

/// Limit on time, as text.
struct LinkLimitOptions {
  std::string time_limit = "";

  static void describe(auto&& visit) { visit(&LinkLimitOptions::time_limit, time_limit_option()); }
};

/// Two tables, and how their records are linked.
struct LinkJob {
  std::string first = "", second = "";  ///< first: "-" is standard input
  LinkOptions options = {};
  MatchingJob matching = {};
  LinkLimitOptions limits = {};
  io::TableReadOptions reading = {};
  io::TableWriteOptions writing = {};
};

/// Links between the records of two tables.
struct LinkResult {
  /// Pairs of rows, of the first table and of the second, in the order of the first's rows, the best first.
  std::vector<ProbablePair> links = {};
  std::string model = "";                         ///< match model as JSON: what option 'save-model' writes
  std::optional<MatchingProposal> proposal = {};  ///< lists that were not given, and were proposed
};

/// Finds the pairs of records, one of each table, that refer to the same entity. Of the job, files of input and output
/// are not used except those of options 'model' and 'statistics' and what they save. Ids are checked if option 'id' and
/// option 'second-id' name them. A run that is stopped while pairs are scored has the links found so far, and warns.
LinkResult link(const io::Table& first, const io::Table& second, LinkJob job, const Run& run = {});

/// The same from file to file: writes the links; or only reports what the job's MatchingJob asks for.
void link_files(LinkJob job, const Run& run);

}  // namespace fovea::linkage
