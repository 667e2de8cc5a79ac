// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "fovea/base/options.h"
#include "fovea/base/run.h"
#include "fovea/io/table/read_table.h"
#include "fovea/io/table/table_writer.h"
#include "fovea/linkage/job/matching_job.h"

namespace fovea::linkage {

/// The files and columns of a LinkJob.
struct LinkOptions {
  std::string output = "", id = "", second_id = "", second_encoding = "";
  bool one_to_one = false;

  template <class V>
  static void describe(V&& visit) {
    using O = LinkOptions;
    visit(&O::output, OptionInfo{.name = "output",
                                 .description = "Table of links to write; standard output if omitted or -.",
                                 .value_name = "FILE",
                                 .letter = 'o',
                                 .file = FileRole::kOutput});
    visit(&O::id, OptionInfo{.name = "id",
                             .description = "Column of the unique ids in FIRST; default: the first.",
                             .value_name = "COLUMN"});
    visit(&O::second_id, OptionInfo{.name = "second-id",
                                    .description = "Column of the unique ids in SECOND; default: the first.",
                                    .value_name = "COLUMN"});
    visit(&O::second_encoding, OptionInfo{.name = "second-encoding",
                                          .description = "Encoding of SECOND; default: that of FIRST.",
                                          .value_name = "TEXT"});
    visit(&O::one_to_one,
          OptionInfo{.name = "one-to-one",
                     .description = "Link no record twice: of several links of a record, keep the best. "
                                    "For tables without duplicates."});
  }
};

/// Two tables, and how their records are linked.
struct LinkJob {
  std::string first = "", second = "";  ///< first: "-" is standard input
  LinkOptions options = {};
  MatchingJob matching = {};
  io::TableReadOptions reading = {};
  io::TableWriteOptions writing = {};
};

/// Writes the pairs of records, one of each table, that refer to the same entity; or only reports what the job's
/// MatchingJob asks for.
void link(LinkJob job, const Run& run);

}  // namespace fovea::linkage
