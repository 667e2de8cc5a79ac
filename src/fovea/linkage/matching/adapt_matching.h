// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "fovea/base/run.h"
#include "fovea/linkage/blocking/candidate_pairs.h"
#include "fovea/linkage/matching/match_model.h"

namespace fovea::linkage {

/// A match model that was learned on other records, fitted to those at hand.
struct AdaptedMatching {
  MatchParameters parameters;
  std::vector<std::string> learned = {};     ///< comparisons of which the model knew nothing
  std::size_t pairs = 0;                     ///< drawn ones, from which they were learned
  double share_before = 0, share_after = 0;  ///< of matches among all pairs; 0 where the model does not tell

  /// One line.
  std::string brief() const;
};

/// Fits a model to other records, without labels, by EM on candidate pairs in which what the model knows stays fixed:
///
/// 1. Comparisons without weights, because the model's own records had no values there, get the weights log(m / u): m
///    and u are the shares of a level among matches and among others, by the model's probabilities, which the new
///    weights then change. They rise with agreement. Pairs that only rules on the same columns bring together do not
///    count, as all of them agree there. A MatchMixture learns no comparisons.
/// 2. If the model was learned without labels, its shares of matches and of related pairs (MatchMixture) are of all
///    pairs of its own records, and fall as tables grow: they are estimated again, as if all matches were among the
///    candidate pairs. The prior of a model learned from labels is one among candidate pairs, which log odds above -4
///    tell; it stays.
AdaptedMatching adapt_matching(const MatchModel& model, std::span<const BlockingRule> rules,
                               const CandidatePairs& candidates, const Run& run);

}  // namespace fovea::linkage
