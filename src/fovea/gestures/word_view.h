// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <span>

#include "fovea/gestures/path_lattice.h"

namespace fovea::gestures {

inline constexpr std::size_t kWordViewSize = 30;
using WordView = std::array<float, kWordViewSize>;

/// Compares a swipe with one word as a whole, by features that sums over letters and strokes cannot express. By index:
///
///   0 score minus the best word's   1 log frequency   2 letters   3 log(length / straight length)   4 their difference
///   5 log length   6, 7 distances of the first and last letter from the ends   8 largest, 9 mean distance of a letter,
///   10 letters further than .7 and 11 than 1.1 keys   12 mean and 13 least pace at letters   14 mean, 15 largest
///   distance from the word's own path (SHARK2's location), 16 mean distance once both are centred (its shape)
///   17 log(events / letters)   18 log events   19 turns and 20 slowest pace far from letters   21 head   22 tail
///   23, 24 score of strokes by distance and by direction, per key width   25 doubled letters
///   26 turns that differ from those of the word's path   27 score and 28 events per letter
///   29 points between the first and the last letter
///
/// Distances are in key widths and bounded, so that one stray point does not outweigh everything else.
WordView view_word(const PathLattice& lattice, const PathWeights& weights, std::span<const Key> letters,
                   float log_frequency, float score, float best_score);

}  // namespace fovea::gestures
