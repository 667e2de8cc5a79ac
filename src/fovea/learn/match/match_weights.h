// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

#include "fovea/learn/match/agreement_patterns.h"

namespace fovea {

/// Evidence that two records are one entity, as natural logarithms of odds, added up over the comparisons:
///
///   log P(match | levels) / P(no match | levels) = prior_log_odds + sum_c weights[c][levels[c]]
struct MatchWeights {
  double prior_log_odds = 0;
  LevelTable weights = {};

  /// The sum above. levels: [comparison].
  double score(std::span<const Level> levels) const;

  /// One JSON object: prior_log_odds, and for each comparison its name and weights. Finite weights only.
  std::string to_json(std::span<const std::string> comparisons) const;

  /// Reads what to_json wrote for the same comparisons (names and level counts, in order). Throws InputError, which
  /// names `file`, the comparison and what differs.
  static MatchWeights from_json(std::string_view json, std::span<const std::string> comparisons,
                                std::span<const std::size_t> level_counts, const std::string& file);
};

}  // namespace fovea
