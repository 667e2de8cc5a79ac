// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "fovea/base/options.h"
#include "fovea/base/run.h"
#include "fovea/io/table/read_table.h"
#include "fovea/synthesis/job/table_rules.h"

namespace fovea::synthesis {

/// The columns of a table of examples, and the files of results.
struct TableRulesFileOptions {
  std::string target = "", weights = "";
  std::vector<std::string> ignored = {};
  RuleLanguage language = RuleLanguage::kWords;
  std::string output = "", curve = "", test = "", report_html = "";

  static void describe(auto&& visit) {
    using O = TableRulesFileOptions;
    visit(&O::target, option("target", "Column of the classes; default: the last.", "COLUMN"));
    visit(&O::weights, option("weights", "Column of the rows' weights.", "COLUMN"));
    visit(&O::ignored, option("ignore", "Columns that rules may not use.", "COLUMN"));
    visit(&O::language, option("language", "Language in which rules are written."));
    visit(&O::output, output_file("output", "Where to write the rules; - or none is standard output.", 'o'));
    visit(&O::curve,
          output_file("curve", "Where to write the sizes of rules that were tried, and the errors of each."));
    visit(&O::report_html, output_file("report-html",
                                       "Also write a page for people: the rules, their errors by size, and the rows "
                                       "that they get wrong. It needs no network."));
    visit(&O::test, option("test", "Table of further rows with classes: the share that is wrong is reported.", "FILE"));
  }
};

struct TableRulesFileJob {
  std::string file = "";  ///< "-" is standard input
  TableRulesJob rules = {};
  TableRulesFileOptions files = {};
  io::TableReadOptions reading = {};
  bool as_json = false;  ///< a report instead of the rules
};

struct TableRulesFileResult {
  LearnedTableRules learned = {};
  std::optional<double> test_error = {};  ///< share of the rows of files.test
  std::size_t test_rows = 0;

  std::string brief() const;
};

/// Learns rules from a table and writes them. Throws InputError (file:line) for tables that are not valid, and
/// CancelledError, once the rules found so far are written, if the run was interrupted.
TableRulesFileResult learn_rules_file(const TableRulesFileJob& job, const Run& run);

}  // namespace fovea::synthesis
