// SPDX-License-Identifier: Apache-2.0
#include "fovea/sequence/exact/pair_chain_draws.h"

#include <algorithm>
#include <cmath>

#include "fovea/base/error.h"
#include "fovea/base/log_math.h"

namespace fovea::sequence {

void PairChainDraws::rebind(const LabelNgrams& pairs) {
  FOVEA_CHECK(pairs.factor_size() <= 2);
  label_count_ = static_cast<std::size_t>(pairs.label_count());
  stride_ = pairs.stride();
  weights_.resize(label_count_);
  pairs_.resize(label_count_ * label_count_);
  for (std::size_t i = 0; i < label_count_; ++i) {
    const float* row = pairs.factor_size() == 2 ? pairs.row(1, i) : pairs.row(0, 0);
    std::copy_n(row, label_count_, pairs_.begin() + static_cast<std::ptrdiff_t>(i * label_count_));
  }
  largest_pair_ = *std::max_element(pairs_.begin(), pairs_.end());
  if (largest_pair_ == kImpossible) largest_pair_ = 0;
  pair_weights_.resize(label_count_);
  for (std::size_t i = 0; i < label_count_; ++i)
    for (std::size_t j = 0; j < label_count_; ++j)
      pair_weights_.from[i * pair_weights_.stride + j] = std::exp(pairs_[i * label_count_ + j] - largest_pair_);
  pair_weights_.transpose();
}

double PairChainDraws::sum(const float* unary, std::size_t length) {
  unary_ = unary;
  length_ = length;
  if (length == 0) return log_sum_ = 0;
  in_logs_ = !sum_linear();
  return in_logs_ ? log_sum_ = sum_in_logs() : log_sum_;
}

/// Sums in the linear domain. False where a sum leaves the range of doubles, or a token has no possible label.
bool PairChainDraws::sum_linear() {
  sums_.resize(pair_weights_, length_);
  log_sum_ = largest_pair_ * static_cast<double>(length_ - 1);
  for (std::size_t t = 0; t < length_; ++t) {
    const float* unary = unary_ + t * stride_;
    double* weights = sums_.weights.data() + t * pair_weights_.stride;
    const double largest = *std::max_element(unary, unary + label_count_);
    if (largest == kImpossible) return false;
    for (std::size_t k = 0; k < label_count_; ++k) weights[k] = std::exp(unary[k] - largest);
    log_sum_ += largest;
  }
  if (!sums_.forward(pair_weights_, length_)) return false;
  log_sum_ += sums_.log_sum;
  return true;
}

double PairChainDraws::sum_in_logs() {
  log_sums_.resize(length_ * label_count_);
  for (std::size_t t = 0; t < length_; ++t)
    for (std::size_t k = 0; k < label_count_; ++k) {
      const double* last = log_sums_.data() + (t - 1) * label_count_;
      for (std::size_t i = 0; t > 0 && i < label_count_; ++i) weights_[i] = last[i] + pairs_[i * label_count_ + k];
      log_sums_[t * label_count_ + k] = unary_[t * stride_ + k] + (t > 0 ? log_sum(weights_) : 0);
    }
  return log_sum(std::span<const double>(log_sums_).last(label_count_));
}

void PairChainDraws::weigh(std::size_t t, const Value* next) {
  if (!in_logs_) {
    const double* alpha = sums_.alpha.data() + t * pair_weights_.stride;
    const double* pairs = next ? pair_weights_.into.data() + *next * pair_weights_.stride : nullptr;
    for (std::size_t k = 0; k < label_count_; ++k) weights_[k] = pairs ? alpha[k] * pairs[k] : alpha[k];
    return;
  }
  const double* sums = log_sums_.data() + t * label_count_;
  for (std::size_t k = 0; k < label_count_; ++k)
    weights_[k] = sums[k] + (next ? pairs_[k * label_count_ + *next] : 0.0f);
  const double largest = *std::max_element(weights_.begin(), weights_.end());
  for (double& weight : weights_) weight = std::exp(weight - largest);
}

double PairChainDraws::log_probability(const Value* labels) const {
  double score = 0;
  for (std::size_t t = 0; t < length_; ++t) {
    score += unary_[t * stride_ + labels[t]];
    if (t > 0) score += pairs_[labels[t - 1] * label_count_ + labels[t]];
  }
  return score - log_sum_;
}

}  // namespace fovea::sequence
