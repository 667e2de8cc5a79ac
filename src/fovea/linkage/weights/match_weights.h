// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>

#include "fovea/linkage/weights/agreement_patterns.h"

namespace fovea::linkage {

/// Evidence that two records are one entity, as natural logarithms of odds, added up over the comparisons:
///
///   log P(match | levels) / P(no match | levels) = prior_log_odds + sum_c weights[c][levels[c]]
struct MatchWeights {
  double prior_log_odds = 0;
  LevelTable weights = {};

  /// The sum above. levels: [comparison].
  double score(std::span<const Level> levels) const;
};

}  // namespace fovea::linkage
