// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "fovea/linkage/weights/agreement_patterns.h"
#include "fovea/linkage/weights/match_weights.h"

namespace fovea::linkage {

/// Expected counts of pairs, given a model of their levels.
struct MatchExpectation {
  double matches = 0, others = 0;  ///< pairs
  LevelTable m, u;                 ///< of those, the ones with each level
  double log_likelihood = 0;
};

/// The model of Fellegi and Sunter 1969, "A theory for record linkage", section 3.3: a share of all pairs are matches,
/// and given that, comparisons are independent. A pair with levels l has the probability
///
///   p(l) = s prod_c m[c][l_c] + (1 - s) prod_c u[c][l_c]
///
/// Missing values drop out of the products (m[c][0] = u[c][0] = 1): a missing value says nothing.
struct FellegiSunterModel {
  double match_share = 0;  ///< s, in (0, 1)
  LevelTable m, u;         ///< linear and positive; levels 1, 2, ... sum to 1 for each comparison

  /// log m/u for each level, log s / (1 - s) for the prior.
  MatchWeights weights() const;

  /// Counts each pair as a match with its posterior probability; the log-likelihood is the sum of log p(l).
  MatchExpectation expect(const AgreementPatterns& patterns) const;
};

/// Probabilities of levels from their counts, with `pseudo_count` added to each; [0] = 1.
std::vector<double> level_probabilities(std::vector<double> counts, double pseudo_count);
/// The same with the pseudo-counts of all levels shared out in proportion to `chance`, [level]: a level that nobody has
/// seen then says next to nothing, instead of speaking for a match because it is rarer still by chance.
std::vector<double> level_probabilities(std::vector<double> counts, double pseudo_count,
                                        std::span<const double> chance);

/// Probabilities of pairs that mostly agree: four times as much for each level nearer to agreement. [0] = 1.
std::vector<double> agreeing_levels(std::size_t levels);

/// Number of pairs with each level.
LevelTable count_levels(const AgreementPatterns& patterns);

/// Each level's share of the pairs with both values. For random pairs, which hardly ever match, this is u.
LevelTable level_frequencies(const AgreementPatterns& patterns, double pseudo_count = .5);

}  // namespace fovea::linkage
