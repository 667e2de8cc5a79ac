// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "fovea/gestures/alignment_lattice.h"

namespace fovea::gestures {

/// Sums of u, a chain over the labels of one gesture, over all its alignments or over those of one word:
///
///   log sum over {z : y(z) = y} of exp(score of z under u)
///
/// by forward-backward over (i, letters of y started up to i, z_i); without a word the second component is left out.
/// O(n m k^2) for n observations, m letters and k labels of each observation.
class AlignmentSums {
 public:
  explicit AlignmentSums(const AlignmentLattice& lattice, std::optional<std::vector<Key>> word = std::nullopt);

  /// -inf if no alignment spells the word.
  double log_sum() const { return log_sum_; }

  /// [slot of u] expected number of uses; 0 for all if no alignment spells the word. O(n m k^2).
  std::vector<double> expected_slots() const;

  /// Draws an alignment with the probability exp(score) / sum. There must be at least one.
  template <class Random>
  Alignment draw(Random& random) const;

 private:
  struct Layer {
    std::size_t labels = 0;
    std::vector<double> label_factors, pair_factors;  // exp(score) of (k), (j, k)
    std::vector<double> forward, backward;            // of (letters, k), each layer scaled
    double scale = 1;
  };

  std::size_t positions() const { return word_ ? word_->size() + 1 : 1; }
  std::size_t last_position() const { return positions() - 1; }
  /// Number of letters started before i, if `position` letters are started up to i and z_i is k; nullopt if that is
  /// impossible.
  std::optional<std::size_t> position_before(std::size_t i, std::size_t position, std::size_t k) const;
  void pass_forward();
  void pass_backward();
  template <class Visit>
  void for_steps(std::size_t i, Visit&& visit) const;

  const AlignmentLattice& lattice_;
  std::optional<std::vector<Key>> word_;
  std::vector<Layer> layers_;
  double log_sum_ = 0, total_ = 0;  // total_: sum over the last layer's states in which the whole word is started
};

template <class Random>
Alignment AlignmentSums::draw(Random& random) const {
  Alignment z(layers_.size());
  std::size_t position = 0;
  std::vector<double> weights;
  for (std::size_t i = 0; i < layers_.size(); ++i) {
    const Layer& layer = layers_[i];
    weights.assign(layer.labels, 0);
    const auto next_position = [&](std::size_t k) { return position + (word_ && lattice_.starts(i, k) ? 1 : 0); };
    for (std::size_t k = 0; k < layer.labels; ++k) {
      if (next_position(k) >= positions() || !position_before(i, next_position(k), k)) continue;
      weights[k] = layer.label_factors[k] * layer.backward[next_position(k) * layer.labels + k];
      if (i > 0) weights[k] *= layer.pair_factors[z[i - 1] * layer.labels + k];
    }
    const std::uint32_t chosen = random.categorical(std::span<const double>(weights));
    z[i] = static_cast<std::uint16_t>(chosen);
    position = next_position(chosen);
  }
  return z;
}

}  // namespace fovea::gestures
