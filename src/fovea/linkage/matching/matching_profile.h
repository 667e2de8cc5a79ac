// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>

#include "fovea/linkage/blocking/candidate_pairs.h"
#include "fovea/linkage/comparison/comparison.h"
#include "fovea/linkage/matching/unsupervised_matching.h"

namespace fovea::linkage {

/// What blocking rules cost, before a pair is compared: blocks, pairs, the largest block and those left out. A table.
std::string profile_blocking(std::span<const BlockingRule> rules, const CandidatePairs& candidates);

/// What was learned: each rule's share of matches, and m, u and weight of each level of each comparison. A table.
std::string profile_matching(std::span<const Comparison> comparisons, std::span<const BlockingRule> rules,
                             const UnsupervisedMatching& matching);

/// Both as one JSON object.
std::string profile_json(std::span<const Comparison> comparisons, std::span<const BlockingRule> rules,
                         const CandidatePairs& candidates, const UnsupervisedMatching& matching);

}  // namespace fovea::linkage
