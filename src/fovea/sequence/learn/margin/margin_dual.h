// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "fovea/base/assignment.h"
#include "fovea/base/run_control.h"
#include "fovea/sequence/learn/crf_features.h"
#include "fovea/sequence/learn/margin/loss_augmented_sequence.h"
#include "fovea/sequence/learn/sparse_sum.h"
#include "fovea/sequence/learn/training_set.h"

namespace fovea::sequence {

/// The structured support vector machine with one slack variable per sequence and margin rescaling (Tsochantaridis et
/// al. 2005, equation 11 with a linear penalty), without the division by the number of sequences:
///
///   primal(w)   = l2 |w|^2 + sum_n H_n(w),    H_n(w) = max_y augmented_n(y) - augmented_n(y_n)
///   dual(alpha) = -l2 |w|^2 + sum_n sum_y alpha_n(y) loss(y_n, y),
///   w(alpha)    = sum_n sum_y alpha_n(y) (F(x_n, y_n) - F(x_n, y)) / (2 l2)
///
/// over distributions alpha_n on the labelings of each sequence n. l2 is that of CrfObjective; C of SVM-struct, which
/// minimises |w|^2 / 2 + C / N sum_n H_n for N sequences, is N / (2 l2). alpha_n is kept as the few labelings that have
/// mass, with their masses: the memory is that of their labels, whatever the number of features.
class MarginDual {
 public:
  /// All mass on the truths, w = 0. Both must outlive the object; every label is known, factor size <= 2, l2 > 0.
  MarginDual(const TrainingSet& set, const CrfFeatures& features, double l2);

  struct Step {
    double gap = 0;    ///< that of the sequence before the step: max augmented - its mean under alpha_n
    double slope = 0;  ///< d dual / d mass moved, at its start
    double mass = 0;   ///< moved
    double limit = 0;  ///< mass that could have been moved
    double gain = 0;   ///< by which the dual rose
  };
  /// Block-coordinate Frank-Wolfe (Lacoste-Julien, Jaggi, Schmidt and Pletscher 2013, algorithm 4) with pairwise steps
  /// (Osokin, Alayrac, Lukasewitz, Dokania and Lacoste-Julien 2016, section 3.2): mass moves from the labeling of
  /// lowest augmented score to the one of highest, as far as the dual rises:
  ///
  ///   mass = min(alpha(lowest), 2 l2 (augmented(highest) - augmented(lowest)) / |F(lowest) - F(highest)|^2).
  ///
  /// Such a step touches only features of items where the two differ, and unlike a step towards the highest alone, it
  /// drops labelings that turn out not to be supports.
  Step visit(std::size_t sequence);

  struct Certificate {
    double primal = 0, dual = 0;
    std::vector<double> gaps;  ///< of each sequence; they sum to primal - dual
    /// The optimum lies within [dual, primal].
    double gap() const { return primal - dual; }
  };
  /// At the present weights; nothing if the stop came first. The same at any number of threads.
  std::optional<Certificate> certificate(int threads, const Stop& stop = {}) const;

  const MarginWeights& weights() const { return weights_; }

  struct Support {
    Assignment labels;
    double mass;
    double loss;
  };
  /// The labelings of a sequence that have mass; masses sum to 1.
  std::span<const Support> supports(std::size_t sequence) const { return supports_[sequence]; }

 private:
  struct Extremes {
    std::size_t lowest;
    double lowest_score, mean_score;
  };
  static Extremes extremes(const LossAugmentedSequence& chain, std::span<const Support> supports);
  void subtract(std::size_t sequence, std::span<const Value> from, std::span<const Value> to);
  void move_mass(std::vector<Support>& supports, std::size_t from, std::span<const Value> to, double mass);

  const TrainingSet* set_;
  const CrfFeatures* features_;
  double l2_;
  MarginWeights weights_;
  std::vector<std::vector<Support>> supports_;
  LossAugmentedSequence chain_;
  Assignment highest_;
  SparseSum difference_;
  std::vector<std::uint32_t> pair_parameter_;  // [previous][label], dimension() without a feature
};

}  // namespace fovea::sequence
