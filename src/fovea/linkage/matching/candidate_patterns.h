// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "fovea/base/run.h"
#include "fovea/linkage/blocking/candidate_pairs.h"
#include "fovea/linkage/comparison/comparison.h"
#include "fovea/linkage/weights/agreement_patterns.h"

namespace fovea::linkage {

/// Counts of how candidate pairs agree: of all of them, or of a sample whose pairs count for the others.
struct CandidatePatterns {
  std::vector<AgreementPatterns> of_rule;  ///< [rule] of all its pairs
  AgreementPatterns all;                   ///< each pair once
  std::uint64_t compared = 0;              ///< pairs that were compared
  bool is_complete = true;                 ///< false if a deadline came first
};

/// Compares all candidate pairs, or about four million of a rule that has more. At a deadline it ends with what it has:
/// parts of the pairs are visited in random order. Throws CancelledError.
CandidatePatterns count_candidates(std::span<const Comparison> comparisons, const CandidatePairs& candidates,
                                   const Run& run);

/// Compares `count` random pairs in the scope of `candidates`, or all if there are fewer. At a deadline it ends with
/// those it has. The same patterns with any number of threads. Throws CancelledError.
AgreementPatterns count_random_pairs(std::span<const Comparison> comparisons, const CandidatePairs& candidates,
                                     std::uint64_t count, Random random, const Stop& stop, int threads);

}  // namespace fovea::linkage
