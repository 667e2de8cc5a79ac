// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <vector>

#include "fovea/base/run.h"
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

/// A list of words that a swipe may mean, and the one that it meant.
struct WordChoice {
  std::vector<WordView> views;  ///< the first entry of each is its score by the path minus the best score
  std::size_t meant = 0;
};

/// The full score of a word: its score by the path, plus a network of one hidden layer over standardised views x,
///
///   s(x) = score + l . x + v . tanh(H x + h),      p(word) = exp s / sum over the list of exp s
///
/// Weights in one array: means and deviations of the inputs, l, then v, h and H by hidden unit.
class ChoiceNetwork {
 public:
  static constexpr std::size_t kHidden = 24;
  static constexpr std::size_t kUnit = 2 + kWordViewSize;  ///< weights of a hidden unit: v, h, H
  static constexpr std::size_t kCount = 3 * kWordViewSize + kHidden * kUnit;

  /// Makes a network whose score is that by the path alone.
  ChoiceNetwork() : weights_(kCount) {}
  /// Makes a network with these kCount weights.
  explicit ChoiceNetwork(std::vector<float> weights) : weights_(std::move(weights)) {}

  float score(const WordView& view) const;
  std::span<const float> weights() const { return weights_; }

  /// Starts anew and maximises log p(meant) by AdaGrad, in `passes` passes, or fewer if `run` is stopped. Returns the
  /// mean of log p in the last complete pass.
  double learn(std::span<const WordChoice> choices, int passes, const Run& run);

 private:
  WordView standardised(const WordView& view) const;
  float forward(const WordView& inputs, float score, std::span<float> hidden) const;
  void set_scales(std::span<const WordChoice> choices);
  void climb(std::span<const float> gradient, std::span<float> squares);
  double add_gradient(const WordChoice& choice, std::span<float> gradient) const;

  std::vector<float> weights_;
};

}  // namespace fovea::gestures
