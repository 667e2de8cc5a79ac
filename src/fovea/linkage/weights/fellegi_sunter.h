// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "fovea/base/options.h"
#include "fovea/base/run_control.h"
#include "fovea/linkage/weights/agreement_patterns.h"
#include "fovea/linkage/weights/fellegi_sunter_model.h"
#include "fovea/optimize/iteration.h"

namespace fovea::linkage {

struct FellegiSunterOptions {
  double pseudo_count = .5;
  double start_match_share = .1;
  double tolerance = 1e-6;
  int max_iterations = 5000;

  static void describe(auto&& visit) {
    using O = FellegiSunterOptions;
    visit(&O::pseudo_count,
          number_in(1e-6, 1e6, "em-pseudo-count",
                    "Number of pairs added to each level's count, so that no level has probability 0."));
    visit(&O::start_match_share,
          number_in(1e-12, .999, "em-start-match-share", "Share of matches among the pairs with which EM starts."));
    visit(&O::tolerance,
          number_in(0, 1, "em-tolerance", "EM stops when every |change of a probability| <= tolerance."));
    visit(&O::max_iterations, number_from(1, "em-iterations", "Maximum number of EM iterations."));
  }
};

/// Prior knowledge: nothing, u, or m and u, which are held fixed, [c][0] = 1; and with u, the number of pairs besides
/// the given ones that do not match: those that no blocking rule proposes.
struct PriorKnowledge {
  std::optional<LevelTable> m = std::nullopt, u = std::nullopt;
  double other_pairs = 0;
  std::optional<LevelTable> start_m = std::nullopt;  ///< start of m, if m is learned
  std::optional<double> match_share = std::nullopt;  ///< of the given and the other pairs, held fixed; in (0, 1)
};

/// The result of EM; starts as "not run".
struct FellegiSunterFit {
  optimize::Termination termination = optimize::Termination::kNotRun;
  FellegiSunterModel model;
  std::vector<double> evidence;    ///< [comparison] pairs with both values; without any, m is u unless known
  std::vector<double> objectives;  ///< log-likelihood of all pairs + log prior, first of the start; never falls
  double log_likelihood = 0;       ///< of the given pairs, at the end
  double largest_change = 0;       ///< of a probability, in the last iteration

  bool usable() const { return termination != optimize::Termination::kNotRun; }
  /// One line.
  std::string brief() const;
};

/// Learns without labels, by expectation maximisation (Winkler 1988, "Using the EM algorithm for weight computation in
/// the Fellegi-Sunter model of record linkage"):
///
///   E   p_i = P(match | levels of pair i)
///   M   s = (a + sum_i p_i) / (2a + pairs + other pairs),
///       m[c][l] = (a + sum of p_i with l_c = l) / (the same over all l > 0),   u likewise with 1 - p_i
///
/// where the pseudo-count a is a Dirichlet prior with parameters 1 + a. If u is known, the pseudo-counts of m are
/// shared out in proportion to it, a (levels - 1) u[c][l]: no evidence then means no weight. If m and u are both
/// learned, the class that agrees more is called matches.
///
/// Among all pairs, matches are too rare to be found, and pairs of a blocking rule agree on its columns far more often
/// than u says. So EM is run on the pairs of one rule at a time, with the comparisons of that rule's columns left out.
/// Then it learns the share of matches among all pairs, to which u applies, and from there learns m once more on the
/// pairs of all rules: each rule alone sees only matches that agree in its columns.
///
///   for each rule:  fits.push_back(fit_fellegi_sunter(pairs_of_rule.without(its_comparisons), options, {.u = u}));
///   PriorKnowledge known = average(fits);
///   known.other_pairs = n * (n - 1) / 2 - pairs_of_all_rules.total();
///   options.start_match_share = fit_fellegi_sunter(pairs_of_all_rules, options, known).model.match_share;
///   known.start_m = std::exchange(known.m, std::nullopt);
///   model = fit_fellegi_sunter(pairs_of_all_rules, options, known).model;
///
/// Throws InputError if too few comparisons have values to tell the classes apart: three are needed, two if u is known,
/// one if both are. Cost of an iteration: distinct patterns times comparisons. When asked to stop, it ends with the
/// last iteration.
FellegiSunterFit fit_fellegi_sunter(const AgreementPatterns& patterns, const FellegiSunterOptions& options = {},
                                    const PriorKnowledge& known = {}, const Stop& stop = {});

/// Means of m and u over the fits in which a comparison had evidence. There must be at least one fit.
PriorKnowledge average(std::span<const FellegiSunterFit> fits);

}  // namespace fovea::linkage
