// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "fovea/base/budget.h"
#include "fovea/base/options.h"
#include "fovea/base/run.h"
#include "fovea/io/table/read_table.h"
#include "fovea/synthesis/formula_search/dnf_search.h"

namespace fovea::synthesis {

/// The comparisons, limits and output of a RuleJob.
struct RuleOptions {
  int coefficients = 1;
  std::vector<std::string> constants = {};
  bool octagons = false, equations = false;
  std::string time_limit = "", budget = "", output = "";

  template <class V>
  static void describe(V&& visit) {
    using O = RuleOptions;
    visit(&O::coefficients, OptionInfo{.name = "coefficients",
                                       .description = "Inequalities have all coefficients in -N .. N; 0: only those "
                                                      "of option 'octagons'.",
                                       .min = 0,
                                       .max = 15});
    visit(&O::constants, OptionInfo{.name = "constants",
                                    .description = "Bounds of the inequalities; default: those that the rows suggest.",
                                    .value_name = "N"});
    visit(&O::octagons, OptionInfo{.name = "octagons", .description = "Also try x and +-x +-y on their own."});
    visit(&O::equations, OptionInfo{.name = "equations",
                                    .description = "With option 'octagons', also try = and !=, each as one atom."});
    visit(&O::time_limit, time_limit_option());
    visit(&O::budget,
          OptionInfo{.name = "budget",
                     .description = "Limit of work, as in '1e6 transitions'; gives the same answer on every "
                                    "run.",
                     .value_name = "COUNT"});
    visit(&O::output, OptionInfo{.name = "output",
                                 .description = "Where to write the formula; - or none is standard output.",
                                 .value_name = "FILE",
                                 .letter = 'o',
                                 .file = FileRole::kOutput});
  }
};

/// Labelled rows of integers, and the options of the search for a rule.
struct RuleJob {
  std::string file = "";  ///< "-" is standard input
  DnfSearchOptions search = {};
  RuleOptions options = {};
  io::TableReadOptions reading = {};
  bool as_json = false;  ///< a report instead of the formula
};

/// Looks for a formula in disjunctive normal form that predicts each row's label, and writes it to options.output; with
/// as_json it writes a report, even if the search failed. Without any limit it ends after 60 seconds. Throws
/// InfeasibleError for rows that contradict each other; LimitError or CancelledError, with the best formula and the
/// rows that it gets wrong, if no formula was found.
void learn_rule(RuleJob job, const Run& run);

}  // namespace fovea::synthesis
