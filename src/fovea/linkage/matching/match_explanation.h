// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "fovea/io/table/table.h"
#include "fovea/linkage/blocking/candidate_pairs.h"
#include "fovea/linkage/comparison/comparison.h"
#include "fovea/linkage/matching/match_model.h"
#include "fovea/linkage/matching/unsupervised_matching.h"

namespace fovea::linkage {

/// Ids of the records of a pair.
using IdPair = std::array<std::string_view, 2>;

/// Why two records are together or apart: the terms of their score, which is a sum of log odds (nats).
struct MatchExplanation {
  struct Term {
    std::string comparison;     ///< as option 'compare' has it
    std::string first, second;  ///< cells
    std::string level;          ///< of agreement
    double weight = 0;          ///< of the level
    double adjustment = 0;      ///< for how rare the value is

    double sum() const { return weight + adjustment; }
  };

  std::array<std::string, 2> ids;
  double prior_log_odds = 0;
  std::vector<Term> terms = {};  ///< [comparison]
  double score = 0;              ///< the prior and all terms
  double probability = 0;        ///< that the records refer to the same entity

  /// A table with a bar for each term (a waterfall), which ends with the sum and its probability.
  std::string text() const;
  /// The same as one JSON object.
  std::string json() const;
};

MatchExplanation explain_match(const MatchModel& model, const io::Table& table, RowPair pair, const IdPair& ids);

/// Table of the cost of blocking rules, before any pair is compared: blocks, pairs, the largest block and those left
/// out.
std::string profile_blocking(std::span<const BlockingRule> rules, const CandidatePairs& candidates);

/// A line for each class of related pairs (find_pair_classes): how many there are, and where they agree.
std::vector<std::string> describe_related(std::span<const Comparison> comparisons,
                                          const UnsupervisedMatching& matching);

/// Table of what was learned: each rule's share of matches, and m, u and weight of each level of each comparison.
std::string profile_matching(std::span<const Comparison> comparisons, const UnsupervisedMatching& matching);

/// Both as one JSON object.
std::string profile_json(std::span<const Comparison> comparisons, std::span<const BlockingRule> rules,
                         const CandidatePairs& candidates, const UnsupervisedMatching& matching);

}  // namespace fovea::linkage
