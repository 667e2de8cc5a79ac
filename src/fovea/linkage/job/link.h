// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "fovea/base/budget.h"
#include "fovea/base/match_counts.h"
#include "fovea/base/options.h"
#include "fovea/base/run.h"
#include "fovea/io/table/read_table.h"
#include "fovea/io/table/table_writer.h"
#include "fovea/linkage/job/label_learning.h"
#include "fovea/linkage/job/matching_job.h"
#include "fovea/linkage/matching/scored_pairs.h"

namespace fovea::linkage {

/// Files and columns of a LinkJob.
struct LinkOptions {
  std::string output = "", id = "", second_id = "", second_encoding = "", map = "", must_link = "", cannot_link = "",
              gold = "";
  bool one_to_one = false;

  static void describe(auto&& visit) {
    using O = LinkOptions;
    visit(&O::output, output_file("output", "Table of links to write; standard output if omitted or -.", 'o'));
    visit(&O::id, option("id", "Column of the unique ids in FIRST; default: the first.", "COLUMN"));
    visit(&O::second_id,
          option("second-id", "Column of the unique ids in the other tables; default: the first.", "COLUMN"));
    visit(&O::second_encoding,
          option("second-encoding", "Encoding of the other tables; default: that of FIRST.", "TEXT"));
    visit(&O::map,
          option("map",
                 "Columns with other names: 'dob=born, \"Last name\"=surname' reads the column dob of tables without a "
                 "column born as born.",
                 "LIST"));
    visit(&O::one_to_one,
          option("one-to-one",
                 "Link no record with two of one table: the links with the largest sum of scores. For tables without "
                 "duplicates."));
    visit(&O::must_link, input_file("must-link",
                                    "Table of pairs of records that are of one entity whatever the comparisons say, "
                                    "with the columns first_id and second_id."));
    visit(&O::cannot_link, input_file("cannot-link", "Table of pairs of records that are not of one entity."));
    visit(&O::gold, option("gold", "Column of true entities, against which the links are scored.", "COLUMN"));
  }
};

/// Limit on time, as text.
struct LinkLimitOptions {
  std::string time_limit = "";

  static void describe(auto&& visit) { visit(&LinkLimitOptions::time_limit, time_limit_option()); }
};

/// Two or more tables, and how their records are linked.
struct LinkJob {
  std::vector<std::string> files = {};  ///< the first may be "-", standard input
  LinkOptions options = {};
  MatchingJob matching = {};
  LabelOptions labels = {};
  LinkLimitOptions limits = {};
  io::TableReadOptions reading = {};
  io::TableWriteOptions writing = {};
  /// As in DedupeJob; the first record of each pair is of the first table, the second of the second. Null: none.
  const io::Table *pair_labels = nullptr, *known_pairs = nullptr;
};

/// Links between the records of tables.
struct LinkResult {
  /// Pairs of rows, each counted in its own table, in the order of the first ones, the best first.
  std::vector<ProbablePair> links = {};
  std::vector<std::array<std::uint32_t, 2>> tables = {};  ///< [link] numbers of the tables: 0 and 1 if there are two
  std::optional<MatchCounts> metrics = {};                ///< pairs of records of two tables, against option 'gold'
  std::string model = "";                                 ///< match model as JSON: what option 'save-model' writes
  std::optional<MatchingProposal> proposal = {};          ///< lists that were not given, and were proposed

  /// A summary as one JSON object.
  std::string json() const;
};

/// Finds the pairs of records of different tables that refer to the same entity. Of the job, files of input and output
/// are not used except those of options 'model', 'statistics' and 'labelled-pairs' and what they save. Ids are checked
/// if option 'id' and option 'second-id' name them. A run that is stopped while pairs are scored has the links found so
/// far, and warns.
LinkResult link(std::span<const io::Table* const> tables, LinkJob job, const Run& run = {});
LinkResult link(const io::Table& first, const io::Table& second, LinkJob job, const Run& run = {});

/// The same from file to file: writes the links, with the numbers of the tables from 1 on if there are more than two;
/// or only learns a model, or only reports what the job's MatchingJob asks for.
void link_files(LinkJob job, const Run& run);

}  // namespace fovea::linkage
