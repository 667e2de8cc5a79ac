// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "fovea/base/budget.h"
#include "fovea/base/options.h"
#include "fovea/base/run.h"
#include "fovea/mcmc/restart/mixing_bound.h"
#include "fovea/synthesis/examples/labelled_rows.h"
#include "fovea/synthesis/formula_search/dnf_search.h"

namespace fovea::synthesis {

/// The comparisons and limits of a search for a rule.
struct RuleOptions {
  int coefficients = 1;
  std::vector<std::string> constants = {};
  bool octagons = false, equations = false;
  std::string time_limit = "", budget = "";

  static void describe(auto&& visit) {
    using O = RuleOptions;
    visit(&O::coefficients,
          number_in(0, 15, "coefficients",
                    "Inequalities have all coefficients in -N .. N; 0: only those of option 'octagons'."));
    visit(&O::constants, option("constants", "Bounds of the inequalities; default: those that the rows suggest.", "N"));
    visit(&O::octagons, option("octagons", "Also try x and +-x +-y on their own."));
    visit(&O::equations, option("equations", "With option 'octagons', also try = and !=, each as one atom."));
    visit(&O::time_limit, time_limit_option());
    visit(&O::budget,
          option("budget", "Limit of work, as in '1e6 transitions'; gives the same answer on every run.", "COUNT"));
  }

  /// The two limits. Throws UsageError for limits that a search for a rule does not have.
  Budget limits() const;
};

/// A search for a rule.
struct RuleJob {
  DnfSearchOptions search = {};  ///< the run's random stream sets the seed
  RuleOptions options = {};
};

/// The formula that a search found, and the work that it took.
struct LearnedRule {
  bool is_found = false;                            ///< the formula predicts every row's label
  Dnf formula = {};                                 ///< if not found, one that came nearest
  std::vector<std::string> names = {};              ///< [variable]
  std::vector<std::size_t> wrong_rows = {};         ///< rows, from 0 on, whose label the formula gets wrong
  std::vector<std::uint64_t> wrong_lines = {};      ///< [wrong row] its line in a file, or else its number, from 1 on
  std::size_t examples = 0;                         ///< different rows
  std::uint64_t steps = 0, restarts = 0;            ///< of the search
  std::optional<mcmc::MixingBound> mixing_bound{};  ///< none without restarts, and none for a portfolio of chains
  std::string guarantee = "";                       ///< what is proved about how fast the chain mixes: a sentence
  double seconds = 0;                               ///< since the start of the run
  DnfSearchOptions search = {};                     ///< as it ran

  /// Text for people: "x1 != 0 or (x2 = x3 and x1 <= x2 + 4)".
  std::string text() const { return formula.text(names); }
  /// The steps and the guarantee, in one line.
  std::string brief() const;
  /// The same and the options, as one object.
  std::string json() const;
};

/// Looks for a formula in disjunctive normal form that predicts each row's label. Without any limit it ends after 60
/// seconds. Throws UsageError for options that are not valid, and InfeasibleError for rows that contradict each other.
LearnedRule learn_rule(const LabelledRows& rows, RuleJob job, const Run& run);

}  // namespace fovea::synthesis
