// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "fovea/linkage/blocking/candidate_pairs.h"
#include "fovea/linkage/matching/job_control.h"
#include "fovea/linkage/matching/match_model.h"

namespace fovea::linkage {

struct ScoredPair {
  RowPair rows;
  float score;  ///< log odds
};

/// The candidate pairs that score more than `floor`, each once, in the order of rules, blocks and rows.
/// Throws CancelledError.
std::vector<ScoredPair> score_candidates(const MatchModel& model, const CandidatePairs& candidates, double floor,
                                         const JobControl& control = {});

/// The groups of at least two rows that pairs connect, as Blocks have them.
Blocks connected_components(std::size_t rows, std::span<const ScoredPair> pairs);

/// The best pairs of which no two share a row: the best first, as long as both its rows are free. In the order of
/// `pairs`.
std::vector<ScoredPair> one_to_one(std::vector<ScoredPair> pairs);

}  // namespace fovea::linkage
