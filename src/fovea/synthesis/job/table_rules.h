// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "fovea/base/options.h"
#include "fovea/base/run.h"
#include "fovea/io/table/read_table.h"
#include "fovea/synthesis/rule/read_examples.h"
#include "fovea/synthesis/rule/rule_learner.h"

namespace fovea::synthesis {

/// The class that gets the rule, and the limit of the search.
struct TableRulesOptions {
  std::string only = "", time_limit = "";

  static void describe(auto&& visit) {
    visit(
        &TableRulesOptions::only,
        option("only", "Of two classes, the one that gets the rule; default: the one whose rule errs less.", "CLASS"));
    visit(&TableRulesOptions::time_limit, time_limit_option());
  }
};

struct TableRulesJob {
  RuleLearningOptions learning = {};
  TableRulesOptions options = {};
};

/// Rules that were learned, and how.
struct LearnedTableRules {
  TableRules rules = {};
  std::string target = "";  ///< the name of the column of classes
  std::size_t row_count = 0;
  double seconds = 0;  ///< since the start of the run
  RuleLearningOptions options = {};

  /// All rules in a language: in words, a condition for WHERE (of more than two classes: a CASE), a function of Python,
  /// a define-fun for each class.
  std::string text(RuleLanguage language) const;
  /// Errors of the rules, in a line.
  std::string brief() const;
  /// Everything, as one object, which learned_from_json reads.
  std::string json() const;
  /// Sizes and errors of the lengths that were tried, a line each, separated by tabs.
  std::string curve() const;
};

/// Learns rules for the classes of a table (learn_table_rules). Without a limit it runs to its end, seconds for
/// thousands of rows. Throws UsageError for options that are not valid.
LearnedTableRules learn_rules(const RuleExamples& examples, const std::string& target, const TableRulesJob& job,
                              const Run& run);

/// Reads what LearnedTableRules::json wrote, without seconds and options. Throws InputError for any other text.
LearnedTableRules learned_from_json(const std::string& report);

}  // namespace fovea::synthesis
