// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "fovea/base/options.h"
#include "fovea/base/random.h"
#include "fovea/base/run_control.h"
#include "fovea/synthesis/rule/rule_formula.h"
#include "fovea/synthesis/rule/rule_table.h"

namespace fovea::synthesis {

struct RuleLearningOptions {
  int terms = 6, atoms = 4, variables = 0, bounds = 64, folds = 5;
  double caution = .25, effort = 1;

  static void describe(auto&& visit) {
    using O = RuleLearningOptions;
    visit(&O::terms, number_in(1, 32, "terms", "Maximum number of disjuncts."));
    visit(&O::atoms, number_in(1, 16, "atoms", "Maximum number of comparisons in a disjunct."));
    visit(&O::variables, number_in(0, 1000, "variables",
                                   "Maximum number of columns in one comparison, as in 2 height + weight > 190; 1: no "
                                   "sums, 0: any number."));
    visit(&O::bounds, number_in(1, 1000, "bounds", "Maximum number of bounds tried of a column or sum."));
    visit(&O::folds,
          number_in(2, 100, "folds", "Parts of the rows in cross-validation, which chooses how long a rule may be."));
    visit(&O::caution,
          number_in(0, 10, "caution",
                    "A longer rule must have a lower error in cross-validation, by this number of standard errors."));
    visit(&O::effort, number_in(.01, 1000, "effort", "Steps of the search, relative to the usual number."));
  }
};

/// One length of a rule, and what it gives.
struct RuleLength {
  /// Cost of a column in a comparison for the search, as a share of the rows: infinite for the empty rule, and 0 for a
  /// rule of one comparison, whose sum is a logistic regression's.
  double penalty = 0;
  double size = 0;            ///< mean over the folds
  double training_error = 0;  ///< shares of the weight of rows
  double error = 0;           ///< of rows that were left out
  double standard_error = 0;  ///< of `error`
};

/// A rule that says which rows are of a class.
struct ClassRule {
  std::uint32_t of_class = 0;
  RuleFormula formula = {};
  std::vector<RuleLength> lengths = {};  ///< tried; empty without cross-validation
  std::size_t chosen = 0;                ///< among these
  double precision = 0;  ///< share of the rows where it holds that are of the class: (right + 1) / (all + 2)
};

/// Rules for the classes of a table: one if there are two classes, one each if there are more. A row is of the class
/// whose rule holds there; of several, the most precise; if none holds, of the class `otherwise`.
struct TableRules {
  RuleTable columns = {};  ///< of the examples, for names; without rows
  std::vector<std::string> classes = {};
  std::vector<ClassRule> rules = {};
  std::uint32_t otherwise = 0;
  bool is_validated =
      false;  ///< cross-validation was finished: the next three are known, and lengths were chosen by it
  double error = 0, standard_error = 0, error_of_largest_class = 0;
  double training_error = 0;

  /// `table` has the same columns, and the same categories under the same numbers.
  std::uint32_t class_of(const RuleTable& table, std::size_t row) const;
};

/// Learns rules by penalised search (RuleSearch) at several penalties, and rules of one comparison of a sum. Stratified
/// cross-validation chooses among them: the shortest whose error is within `caution` standard errors of the least. Of
/// two classes, the one whose rule errs less gets the rule, unless `only` names one. Without cross-validation, when
/// `stop` asks to end, a rule has a middling length. There are at least two classes, of at least one row each. The same
/// seed gives the same rules at any number of threads.
TableRules learn_table_rules(const RuleExamples& examples, const RuleLearningOptions& options,
                             std::optional<std::uint32_t> only, int threads, Random random, const Stop& stop,
                             const ProgressFunction& progress = {});

}  // namespace fovea::synthesis
