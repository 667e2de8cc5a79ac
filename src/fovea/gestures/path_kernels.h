// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <vector>

#include "fovea/gestures/path_features.h"

namespace fovea::gestures {

/// A score for each point of a swipe.
struct alignas(64) PathRow : std::array<float, SwipePath::kPoints> {};

using LetterRows = std::array<PathRow, kKeyCount>;                       ///< [letter][t]
using PairRows = std::vector<std::array<PathRow, kKeyCount>>;            ///< [from][to][t]
using RoleRows = std::array<LetterRows, kLetterRoles>;                   ///< [role][letter][t]
using PairScores = std::array<std::array<float, kKeyCount>, kKeyCount>;  ///< [from][to]

/// The most that a letter at point t and the letters after it score, whatever letters these are.
struct RestBounds {
  LetterRows rest{};   ///< [letter][t]
  LetterRows go_on{};  ///< the same if at least one letter follows
  LetterRows next{};   ///< the same without the letter itself: the most that all after it scores
  /// [from][to][t] the most that all after `from` scores if it is left at t:
  /// straight[from][to] + max over s >= t of strokes[from][to][s] - strokes[from][to][t] + rest[to][s].
  PairRows leave = PairRows(kKeyCount);
};

namespace internal {

/// Sets [role][letter][t] to the score of a letter at point t; that of a first letter with the path before it, that of
/// a last one with the path after it.
void score_letters(const SwipePath& path, const PathWeights& weights, RoleRows& letters);

/// Sets [from][to][t] to the score of the strokes: sums of the path's steps up to t.
void score_strokes(const SwipePath& path, const PathWeights& weights, PairRows& strokes);

/// Bounds for at most one letter more than `fewer`, or for none if that is null. `last`: scores of a word's last
/// letter; `inner`: the most that a letter scores in another place, but the first; `straight`: of the length of
/// strokes.
void bound_rest(const LetterRows& last, const LetterRows& inner, const PairRows& strokes, const PairScores& straight,
                const RestBounds* fewer, RestBounds& bounds);

/// Scores for the next letter of a prefix, all of them [t].
struct NextLetter {
  const PathRow& own;     ///< of the last letter of the prefix, now that the next one is known
  const PathRow& stroke;  ///< to the next letter: sum of the steps up to t
  const PathRow& leave;   ///< the most that all after the last letter of the prefix scores if it is left at t
  const PathRow& rest;    ///< the most that the next letter and all after it score
  float straight = 0;     ///< score of the stroke's length
  float frequency = 0;    ///< the most that the frequency of a word with this prefix scores
};

/// Sets longer[t] to the best score of leaving the last letter of a prefix at t or before and arriving at t:
///   max over s <= t of arrived[s] + own[s] + stroke[t] - stroke[s], + straight,
/// or -inf where no total could be above `worst`. Returns the largest total, -inf if it is not above `worst`.
float extend_prefix(const PathRow& arrived, const NextLetter& next, float worst, PathRow& longer);

/// max over t of a[t] + b[t].
float largest_sum(const PathRow& a, const PathRow& b);

}  // namespace internal
}  // namespace fovea::gestures
