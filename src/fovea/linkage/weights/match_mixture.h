// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <vector>

#include "fovea/linkage/weights/agreement_patterns.h"
#include "fovea/linkage/weights/fellegi_sunter.h"
#include "fovea/linkage/weights/match_weights.h"

namespace fovea::linkage {

/// Pairs of different entities that agree in some comparisons as matches do, and in the others by chance: two people of
/// one household, two songs of one album.
struct RelatedPairs {
  double share = 0;  ///< of all pairs, in (0, 1)
  LevelTable levels = {};
};

/// The model of Fellegi and Sunter with classes of related pairs, which do not match:
///
///   p(l) = s prod_c m[c][l_c] + sum_k s_k prod_c r_k[c][l_c] + (1 - s - sum_k s_k) prod_c u[c][l_c]
///
/// Without them, a class of matches has no better way to explain that pairs of one household agree in surname, address
/// and phone at once than to take them in.
struct MatchMixture {
  double match_share = 0;
  LevelTable m, u;  ///< linear and positive; levels 1, 2, ... sum to 1 for each comparison, [c][0] = 1
  std::vector<RelatedPairs> related = {};

  /// Posterior probability of each class for a pair: matches, related classes, pairs that agree by chance.
  std::vector<double> posterior(std::span<const Level> levels) const;
};

/// The candidate pairs among which related ones are looked for.
struct MixtureTask {
  const AgreementPatterns& patterns;           ///< of all candidate pairs, each once
  std::span<const AgreementPatterns> of_rule;  ///< [rule] of all pairs of a blocking rule
  /// [rule] comparisons that read a column of the rule: where a class of related pairs may agree.
  std::span<const std::vector<std::size_t>> comparisons_of_rule;
  const LevelTable& u;     ///< how often pairs agree by chance
  double other_pairs = 0;  ///< pairs besides these, which agree by chance
};

/// Finds classes of related pairs, by expectation maximisation with one class more at a time: as long as each class
///
///   - agrees by chance in comparisons that carry at least 40 % of what tells matches from chance (the divergence
///     sum_l m log(m / u) of a comparison is its share of that), and
///   - is reached by at most 60 % as many blocking rules per pair as the matches are.
///
/// Both are needed. People who moved agree by chance in their addresses; but most of the rules that a user writes bring
/// their records together, and only the one on addresses those of a household. The figures were chosen on made-up
/// people and five public tables. Returns a mixture without related classes if none is found. Calls look() before each
/// iteration, which may throw.
MatchMixture find_related_pairs(const MixtureTask& task, const FellegiSunterOptions& options,
                                const std::function<void()>& look);

/// Additive weights for a mixture with related pairs: logistic regression on the patterns, each of them a match with
/// its posterior probability, that prefers weights near log m/u (fit_pair_regression).
MatchWeights additive_weights(const MatchMixture& mixture, const AgreementPatterns& patterns);

/// [comparison]: whether the pairs of a related class agree there more often than by chance.
std::vector<bool> agreeing_comparisons(const MatchMixture& mixture, std::size_t related);

}  // namespace fovea::linkage
