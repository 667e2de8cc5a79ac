// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "fovea/sequence/learn/crf_features.h"
#include "fovea/sequence/learn/training_set.h"

namespace fovea::sequence {

/// The weights of a chain of label pairs (factor size 1 or 2), as training by margins changes them: in double
/// precision, with the scores of label pairs also kept as a matrix.
class MarginWeights {
 public:
  /// All 0. The features must outlive the object.
  explicit MarginWeights(const CrfFeatures& features);

  /// w += scale * change; each parameter at most once, in the order of CrfFeatures.
  void add(std::span<const std::pair<std::uint32_t, float>> change, double scale);

  const CrfFeatures& features() const { return *features_; }
  std::span<const double> values() const { return values_; }  ///< in the order of CrfFeatures
  const double* pairs() const { return pairs_.data(); }       ///< [previous][label], 0 without a feature
  double squared_norm() const;
  std::vector<float> rounded() const { return {values_.begin(), values_.end()}; }

 private:
  const CrfFeatures* features_;
  std::vector<double> values_, pairs_;
};

/// One sequence at a time under margin rescaling (Taskar, Guestrin and Koller 2003; Tsochantaridis, Joachims, Hofmann
/// and Altun 2005): a labeling y of sequence n counts
///
///   augmented(y) = loss(y_n, y) + w . F(x_n, y),      loss = number of labels in which y differs from the truth y_n.
///
/// The loss is a sum over items, so it joins the unary scores and the best labeling is one Viterbi pass. A reusable
/// workspace: one per thread.
class LossAugmentedSequence {
 public:
  /// Every label must be known. The set must outlive the object.
  explicit LossAugmentedSequence(const TrainingSet& set) : set_(&set) {}

  /// Reads the scores of a sequence of at least one item at these weights, which must stay as they are until the next
  /// call. O(features of its items).
  void bind(std::size_t sequence, const MarginWeights& weights);

  /// augmented(labels); log domain like all scores, though nothing here is normalised.
  double score(std::span<const Value> labels) const;

  /// Writes a labeling of highest augmented(y) and returns that value; among equal ones the lower labels win, from the
  /// back. O(length * label_count^2).
  double decode(std::span<Value> labels);

  std::size_t length() const { return length_; }
  std::span<const Value> truth() const { return {set_->labels.data() + first_, length_}; }

 private:
  void step(std::size_t t);
  Value label_before(std::size_t t, Value label) const;

  const TrainingSet* set_;
  std::size_t first_ = 0, length_ = 0, labels_ = 0;
  const double* pairs_ = nullptr;
  std::vector<double> unary_;  // [item][label], loss included
  std::vector<double> best_;   // [item][label]: of the items up to there, ending in that label
};

/// loss(y_n, y): the number of labels in which two labelings of the same length differ.
std::size_t hamming_loss(std::span<const Value> truth, std::span<const Value> labels);

}  // namespace fovea::sequence
