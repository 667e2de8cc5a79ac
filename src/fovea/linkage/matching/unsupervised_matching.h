// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "fovea/base/run.h"
#include "fovea/linkage/blocking/candidate_pairs.h"
#include "fovea/linkage/comparison/comparison.h"
#include "fovea/linkage/matching/match_model.h"
#include "fovea/linkage/weights/fellegi_sunter.h"
#include "fovea/linkage/weights/match_mixture.h"

namespace fovea::linkage {

/// Result of EM on the pairs of one rule; EM is not run if too few comparisons are left.
struct RuleFit {
  std::string rule = "";
  std::uint64_t pairs = 0;
  FellegiSunterFit fit = {};
  bool is_degenerate = false;  ///< EM found hardly any matches, so that it says nothing about them
};

/// A model of how records agree, learned without labels.
struct UnsupervisedMatching {
  std::uint64_t random_pairs = 0;     ///< from which u is learned
  std::vector<RuleFit> rules = {};    ///< [rule to learn from]
  std::uint64_t candidate_pairs = 0;  ///< of all rules together, each counted once
  FellegiSunterFit fit;               ///< of those
  bool is_guess = false;              ///< too few pairs or no matches to learn from: m and prior are assumed
  MatchMixture mixture = {};          ///< used if it has related pairs
  MatchWeights weights = {};          ///< log m/u of the fit or the mixture, rising with agreement
  std::uint64_t all_pairs = 0;        ///< of the table's records
  std::uint64_t compared_pairs = 0;   ///< pairs drawn from the rules to learn from; all of them if there are few
  bool is_complete = true;            ///< false if a deadline left no time to learn from all of those

  /// Parameters of a MatchModel, with the frequencies of values where a comparison's closest level is equality.
  MatchParameters parameters(std::span<const Comparison> comparisons, const TermFrequencyOptions& options) const;
};

struct UnsupervisedOptions : FellegiSunterOptions {
  int random_pairs = 200000;
  std::optional<double> prior = {};
  std::string train_rules = "";

  static void describe(auto&& visit) {
    visit(&UnsupervisedOptions::prior,
          number_in(1e-15, .5, "prior", "Share of matches among all pairs of records, if it is known; else learned."));
    visit(&UnsupervisedOptions::train_rules,
          option("train-rules",
                 "Rules whose pairs are learned from, written as in option 'block'. Take several of which each brings "
                 "together few pairs, many of them matches. Default: those of option 'block', or proposed ones where "
                 "matches are too rare among the pairs of these.",
                 "LIST"));
    visit(&UnsupervisedOptions::random_pairs,
          number_in(1000, 1e9, "random-pairs",
                    "Number of pairs drawn to see how often records agree by chance; all pairs if there are fewer."));
    FellegiSunterOptions::describe(visit);
  }
};

/// Learns as fit_fellegi_sunter() describes: u from random pairs; m by EM on the pairs of one rule at a time, without
/// the comparisons of its columns; then the share of matches and m on all candidate pairs. Rules among whose pairs EM
/// finds hardly any matches do not count. If there are classes of related pairs (find_pair_classes), pairs are scored
/// by the mixture. Where EM finds no matches at all, or there are fewer than 20 pairs, m falls by a factor of four from
/// level to level, and records that are equal in everything match. Of a rule with more than four million pairs, about
/// that many are drawn; at a deadline, it learns from the pairs that were compared by then. `rules` are those of
/// `candidates`. Throws InputError if fewer than two comparisons
/// have values; CancelledError.
UnsupervisedMatching fit_unsupervised(std::span<const Comparison> comparisons, std::span<const BlockingRule> rules,
                                      const CandidatePairs& candidates, const UnsupervisedOptions& options,
                                      const Run& run = {});

}  // namespace fovea::linkage
