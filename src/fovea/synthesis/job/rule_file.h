// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "fovea/base/options.h"
#include "fovea/base/run.h"
#include "fovea/io/table/read_table.h"
#include "fovea/synthesis/job/learn_rule.h"

namespace fovea::synthesis {

/// The output of a RuleFileJob.
struct RuleFileOptions {
  std::string output = "";

  static void describe(auto&& visit) {
    visit(&RuleFileOptions::output,
          output_file("output", "Where to write the formula; - or none is standard output.", 'o'));
  }
};

/// A file of labelled rows of integers, and the search for a rule.
struct RuleFileJob {
  std::string file = "";  ///< "-" is standard input
  RuleJob rule = {};
  RuleFileOptions files = {};
  io::TableReadOptions reading = {};
  bool as_json = false;  ///< a report instead of the formula
};

/// Learns a rule from the file and writes it to files.output; with as_json it writes the report, even if the search
/// failed. Throws InputError (file:line) for cells that are not integers or labels; InfeasibleError for rows that
/// contradict each other; LimitError or CancelledError, with the best formula and the lines that it gets wrong, if no
/// formula was found.
LearnedRule learn_rule_file(const RuleFileJob& job, const Run& run);

}  // namespace fovea::synthesis
