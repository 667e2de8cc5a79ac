// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <memory>
#include <span>
#include <vector>

#include "fovea/base/aligned.h"
#include "fovea/sequence/learn/crf_features.h"
#include "fovea/sequence/learn/label_rows.h"
#include "fovea/sequence/learn/sequence_residuals.h"
#include "fovea/sequence/learn/training_set.h"

namespace fovea::sequence {

/// The objective of linear-chain CRF training, an Objective over the flat parameters of CrfFeatures:
///
///   f(w) = -sum log p(y | x; w) + l2 |w|^2       (or the pseudo-likelihood; labels may be partly unknown)
///
/// The unary scores of an item are sums of rows, one row of label_count scores for each of its bundles, so f and its
/// gradient take two sparse-times-dense products forward and the same two back, with forward-backward in between:
///
///   bundle rows   B = F W          W: attribute -> weight of each label, F: bundle -> attributes
///   item rows     U = X B          X: item -> bundles
///   residuals     R = p - target   by forward-backward on each sequence
///   gradient      F' (X' R) + 2 l2 w
///
/// The products with X' and F' gather through transposed indices, so that every sum has one owner and a fixed order:
/// results are the same to the bit at any number of threads, without a gradient for each thread. Expected label
/// n-grams are summed within fixed groups of sequences, in double, and the groups in order. Gathering p - target,
/// rather than p, keeps precision in single floats: near the optimum the terms are small.
class CrfObjective {
 public:
  using Real = float;

  struct Options {
    double l2 = 1;
    SequenceObjective objective = SequenceObjective::kLikelihood;
    int threads = 1;
  };

  /// Both must outlive the object.
  CrfObjective(const TrainingSet& set, const CrfFeatures& features, Options options);
  CrfObjective(const TrainingSet& set, const CrfFeatures& features, std::shared_ptr<const TransposedItems> transposed,
               Options options);
  ~CrfObjective();

  std::size_t dimension() const { return features_->dimension(); }
  double evaluate(std::span<const float> x, std::span<float> gradient);

  /// A diagonal that approximates the Hessian at x, without the penalty: sum over items of v^2 p (1 - p) for a pair
  /// (attribute, label) with value v, neglecting that an item may hold an attribute twice; for an n-gram its expected
  /// count times the mean of 1 - p over the labels that occur.
  std::vector<float> curvature(std::span<const float> x);

 private:
  struct Group;

  void score_bundles(std::span<const float> x);
  double visit_sequences(std::span<const float> x, RowOutput output);
  void gather_bundles(EntryPower power);
  template <class Visit>
  void for_each_attribute_row(EntryPower power, const Visit& visit);
  std::vector<std::vector<double>> fold_windows() const;
  double ngram_total(const std::vector<std::vector<double>>& levels, const LabelNgram& ngram) const;
  void make_groups(std::size_t window_floats);

  const TrainingSet* set_;
  const CrfFeatures* features_;
  std::shared_ptr<const TransposedItems> transposed_;
  Options options_;
  std::size_t stride_;
  std::unique_ptr<LabelNgrams> ngrams_;
  std::vector<Group> groups_;
  std::vector<std::size_t> bundle_cuts_, item_cuts_, attribute_cuts_;  // rows of bundles or attributes, for tasks
  AlignedVector<float> bundle_rows_;  // [bundle][stride]: scores, then sums of residuals
  AlignedVector<float> item_rows_;    // [item][stride]: scores, then residuals
};

/// Adds the gradient of the penalty l2 |x|^2, and returns the penalty: the same with any number of threads.
double add_l2_penalty(std::span<const float> x, double l2, int threads, std::span<float> gradient);

/// The inverse of 2 l2 + diagonal, which serves as `scale` of L-BFGS.
std::vector<float> inverse_curvature(std::vector<float> diagonal, double l2);

}  // namespace fovea::sequence
