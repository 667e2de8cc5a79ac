// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "fovea/base/run.h"
#include "fovea/gestures/word_view.h"

namespace fovea::gestures {

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
  double add_gradient(const WordChoice& choice, std::span<float> gradient) const;

  std::vector<float> weights_;
};

}  // namespace fovea::gestures
