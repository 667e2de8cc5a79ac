// SPDX-License-Identifier: Apache-2.0
#include "fovea/sequence/learn/margin/loss_augmented_sequence.h"

#include <algorithm>
#include <numeric>

#include "fovea/base/error.h"
#include "fovea/sequence/learn/crf_features.h"

namespace fovea::sequence {

MarginWeights::MarginWeights(const CrfFeatures& features)
    : features_(&features),
      values_(features.dimension()),
      pairs_(static_cast<std::size_t>(features.label_count) * static_cast<std::size_t>(features.label_count)) {
  FOVEA_CHECK(features.factor_size <= 2);
}

void MarginWeights::add(std::span<const std::pair<std::uint32_t, float>> change, double scale) {
  const std::size_t first_ngram = features_->labels.size(), label_count = features_->label_count;
  for (const auto& [parameter, amount] : change) {
    values_[parameter] += scale * amount;
    if (parameter < first_ngram) continue;
    const LabelNgram& pair = features_->ngrams[parameter - first_ngram];
    pairs_[pair.labels[0] * label_count + pair.labels[1]] = values_[parameter];
  }
}

double MarginWeights::squared_norm() const {
  return std::inner_product(values_.begin(), values_.end(), values_.begin(), 0.0);
}

void LossAugmentedSequence::bind(std::size_t sequence, const MarginWeights& weights) {
  const CrfFeatures& features = weights.features();
  first_ = set_->items.sequence_begin[sequence];
  length_ = set_->sequence_length(sequence);
  labels_ = static_cast<std::size_t>(features.label_count);
  pairs_ = weights.pairs();
  unary_.assign(length_ * labels_, 1.0);
  const std::span<const double> values = weights.values();
  for (std::size_t t = 0; t < length_; ++t) {
    double* row = unary_.data() + t * labels_;
    row[set_->labels[first_ + t]] = 0;
    for_each_feature(*set_, features, first_ + t,
                     [&](std::uint32_t e, Value label, float value) { row[label] += value * values[e]; });
  }
}

double LossAugmentedSequence::score(std::span<const Value> labels) const {
  double sum = unary_[labels[0]];
  for (std::size_t t = 1; t < length_; ++t)
    sum += unary_[t * labels_ + labels[t]] + pairs_[labels[t - 1] * labels_ + labels[t]];
  return sum;
}

double LossAugmentedSequence::decode(std::span<Value> labels) {
  best_.resize(length_ * labels_);
  std::copy_n(unary_.begin(), labels_, best_.begin());
  for (std::size_t t = 1; t < length_; ++t) step(t);
  const double* last = best_.data() + (length_ - 1) * labels_;
  const double* highest = std::max_element(last, last + labels_);
  labels[length_ - 1] = static_cast<Value>(highest - last);
  for (std::size_t t = length_ - 1; t > 0; --t) labels[t - 1] = label_before(t, labels[t]);
  return *highest;
}

/// Works by rows of the matrix, and does not note where a maximum comes from, so that the inner loop vectorises.
void LossAugmentedSequence::step(std::size_t t) {
  const double* before = best_.data() + (t - 1) * labels_;
  double* now = best_.data() + t * labels_;
  for (std::size_t k = 0; k < labels_; ++k) now[k] = before[0] + pairs_[k];
  for (std::size_t j = 1; j < labels_; ++j) {
    const double* pair = pairs_ + j * labels_;
    const double score = before[j];
    for (std::size_t k = 0; k < labels_; ++k) now[k] = std::max(now[k], score + pair[k]);
  }
  for (std::size_t k = 0; k < labels_; ++k) now[k] += unary_[t * labels_ + k];
}

Value LossAugmentedSequence::label_before(std::size_t t, Value label) const {
  const double* before = best_.data() + (t - 1) * labels_;
  std::size_t best = 0;
  for (std::size_t j = 1; j < labels_; ++j)
    if (before[j] + pairs_[j * labels_ + label] > before[best] + pairs_[best * labels_ + label]) best = j;
  return static_cast<Value>(best);
}

std::size_t hamming_loss(std::span<const Value> truth, std::span<const Value> labels) {
  std::size_t wrong = 0;
  for (std::size_t t = 0; t < truth.size(); ++t) wrong += truth[t] != labels[t];
  return wrong;
}

}  // namespace fovea::sequence
