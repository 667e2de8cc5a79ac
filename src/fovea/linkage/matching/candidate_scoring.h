// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "fovea/base/run.h"
#include "fovea/linkage/blocking/candidate_pairs.h"
#include "fovea/linkage/matching/match_model.h"
#include "fovea/linkage/matching/scored_pairs.h"

namespace fovea::linkage {

/// Candidate pairs that score enough.
struct ScoredCandidates {
  std::vector<ScoredPair> pairs = {};
  double share = 1;  ///< of all candidate pairs that were considered; below 1 only if asked to stop
};

/// Scores the candidate pairs. Returns those that score more than `floor`, each once: first those of blocks of over
/// 2,000 rows in which find_links() has a faster way than to score all pairs, then the others in the order of rules,
/// blocks and rows. When asked to stop, it ends with what it has. Under a deadline it begins with small blocks, whose
/// pairs match most often; and if there are over ten million pairs, with those that share a rare value; then the
/// order of pairs is another.
ScoredCandidates score_candidates(const MatchModel& model, const CandidatePairs& candidates, double floor,
                                  const Run& run = {});

/// Warns that only this share of the candidate pairs was scored.
void warn_of_share(double share, const Run& run);

}  // namespace fovea::linkage
