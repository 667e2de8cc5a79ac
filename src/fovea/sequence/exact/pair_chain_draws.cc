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
  pair_weights_.resize(pairs_.size());
  for (std::size_t i = 0; i < label_count_; ++i)
    for (std::size_t j = 0; j < label_count_; ++j)
      pair_weights_[j * label_count_ + i] = std::exp(pairs_[i * label_count_ + j] - largest_pair_);
}

double PairChainDraws::sum(const float* unary, std::size_t length) {
  unary_ = unary;
  length_ = length;
  sums_.resize(length * label_count_);
  if (length == 0) return log_sum_ = 0;
  in_logs_ = !sum_linear();
  return in_logs_ ? log_sum_ = sum_in_logs() : log_sum_;
}

/// Sums in the linear domain. False where a sum leaves the range of doubles, or a token has no possible label.
bool PairChainDraws::sum_linear() {
  log_sum_ = 0;
  for (std::size_t t = 0; t < length_; ++t) {
    const float* unary = unary_ + t * stride_;
    double* sums = sums_.data() + t * label_count_;
    const double largest = *std::max_element(unary, unary + label_count_);
    if (largest == kImpossible) return false;
    double total = 0;
    for (std::size_t k = 0; k < label_count_; ++k) {
      double before = 1;
      if (t > 0) {
        const double *last = sums - label_count_, *pairs = pair_weights_.data() + k * label_count_;
        before = 0;
        for (std::size_t i = 0; i < label_count_; ++i) before += last[i] * pairs[i];
      }
      total += sums[k] = before * std::exp(unary[k] - largest);
    }
    if (!(total > 1e-200)) return false;
    for (std::size_t k = 0; k < label_count_; ++k) sums[k] /= total;
    log_sum_ += std::log(total) + largest + (t > 0 ? largest_pair_ : 0);
  }
  return true;
}

double PairChainDraws::sum_in_logs() {
  for (std::size_t t = 0; t < length_; ++t)
    for (std::size_t k = 0; k < label_count_; ++k) {
      const double* last = sums_.data() + (t - 1) * label_count_;
      for (std::size_t i = 0; t > 0 && i < label_count_; ++i) weights_[i] = last[i] + pairs_[i * label_count_ + k];
      sums_[t * label_count_ + k] = unary_[t * stride_ + k] + (t > 0 ? log_sum(weights_) : 0);
    }
  return log_sum(std::span<const double>(sums_).last(label_count_));
}

void PairChainDraws::weigh(std::size_t t, const Value* next) {
  const double* sums = sums_.data() + t * label_count_;
  if (!in_logs_) {
    const double* pairs = next ? pair_weights_.data() + *next * label_count_ : nullptr;
    for (std::size_t k = 0; k < label_count_; ++k) weights_[k] = pairs ? sums[k] * pairs[k] : sums[k];
    return;
  }
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
