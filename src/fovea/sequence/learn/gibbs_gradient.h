// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "fovea/base/aligned.h"
#include "fovea/sequence/learn/crf_features.h"
#include "fovea/sequence/learn/label_rows.h"
#include "fovea/sequence/learn/ngram_tables.h"
#include "fovea/sequence/learn/sparse_sum.h"
#include "fovea/sequence/learn/training_set.h"

namespace fovea::sequence {

/// The Gibbs estimate of a sequence's gradient, for factor sizes at which exact sums are too expensive (Shi,
/// Steinhardt, Liang 2015, section 5.1): labels start uniformly at random, all tokens are resampled from left to right
/// `sweeps` times, and the features of the labelings after the sweeps past `burn_in` are averaged:
///
///   g = mean of F(x, y^(s)) over s in (burn_in, sweeps]  -  F(x, y)
///
/// This tends to the gradient of -log p(y | x) as burn_in grows. Unknown labels are left out on both sides (tokens and
/// n-grams that hold one).
class GibbsGradient {
 public:
  /// x: flat parameters. All must outlive the object; x and `tables` (the n-grams of `features`, at their current
  /// scores) may change between calls.
  GibbsGradient(const TrainingSet& set, const CrfFeatures& features, const NgramTables& tables,
                std::span<const float> x);

  /// Estimates for sequence s. Each parameter occurs at most once, zeros are left out; valid until the next call.
  template <class Random>
  std::span<const std::pair<std::uint32_t, float>> estimate(std::size_t s, int sweeps, int burn_in, Random& random) {
    begin(s);
    for (std::size_t t = 0; t < length_; ++t)
      label(t) = static_cast<Value>(random.uniform_index(static_cast<std::uint32_t>(features_->label_count)));
    for (int sweep = 0; sweep < sweeps; ++sweep) {
      for (std::size_t t = 0; t < length_; ++t) label(t) = draw(t, random);
      if (sweep >= burn_in) add_labeling(labels_, 1.0f / static_cast<float>(sweeps - burn_in));
    }
    return finish();
  }

  /// Numbers of labels drawn after burn-in that differ from the known ones, and of all that could: they show how well
  /// the model fits.
  std::uint64_t differing() const { return differing_; }
  std::uint64_t compared() const { return compared_; }

 private:
  Value& label(std::size_t t) { return labels_[tables_->order() + t]; }

  template <class Random>
  Value draw(std::size_t t, Random& random) {
    rows_.clear();
    tables_->collect_rows(labels_.data() + tables_->order() + t, rows_);
    const std::size_t stride = tables_->stride();
    site_weights(unary_.data() + t * stride, rows_, features_->label_count, stride, weights_.data());
    return static_cast<Value>(
        random.categorical(std::span<const float>(weights_.data(), static_cast<std::size_t>(features_->label_count))));
  }

  void begin(std::size_t s);
  void score_items();
  void add_labeling(const std::vector<Value>& labels, float weight);
  std::span<const std::pair<std::uint32_t, float>> finish();
  void add_item(std::size_t t);

  const TrainingSet* set_;
  const CrfFeatures* features_;
  const NgramTables* tables_;
  std::span<const float> x_;
  std::size_t first_item_ = 0, length_ = 0;
  std::vector<Value> labels_, truth_;  // with pads; truth_ has pads for unknown labels
  AlignedVector<float> unary_;         // [token][stride]
  AlignedVector<float> weights_;       // [stride]
  std::vector<float> residual_;        // [token][label]
  std::vector<const float*> rows_;
  SparseSum gradient_;  // [parameter]
  std::uint64_t differing_ = 0, compared_ = 0;
};

}  // namespace fovea::sequence
