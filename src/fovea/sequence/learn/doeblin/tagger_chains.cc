// SPDX-License-Identifier: Apache-2.0
#include "fovea/sequence/learn/doeblin/tagger_chains.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace fovea::sequence {

TaggerChains::TaggerChains(const NgramTables& tables)
    : tables_(&tables),
      order_(static_cast<std::size_t>(tables.order())),
      label_count_(static_cast<std::size_t>(tables.label_count())),
      stride_(tables.stride()),
      draws_(LabelNgrams(tables.label_count(), 1)),
      weights_(stride_),
      sums_(LabelNgrams(tables.label_count(), 1)) {}

void TaggerChains::begin(const LabelNgrams& pairs, const float* unary, std::size_t length) {
  pairs_ = &pairs;
  unary_ = unary;
  length_ = length;
  draws_.rebind(pairs);
  draws_.sum(unary, length);
}

TaggerChains::State TaggerChains::padded(std::span<const Value> labels) const {
  State state(length_ + 2 * order_, tables_->pad());
  std::copy(labels.begin(), labels.end(), state.begin() + static_cast<std::ptrdiff_t>(order_));
  return state;
}

std::span<const float> TaggerChains::condition(const State& state, std::size_t t) const {
  rows_.clear();
  tables_->collect_rows(state.data() + order_ + t, rows_);
  site_weights(unary_ + t * stride_, rows_, label_count_, stride_, weights_.data());
  return {weights_.data(), label_count_};
}

double TaggerChains::log_step(const State& y, State from) const {
  double log_probability = 0;
  for (std::size_t t = 0; t < length_; ++t) {
    const std::span<const float> weights = condition(from, t);
    const Value label = from[order_ + t] = y[order_ + t];
    log_probability += std::log(weights[label] / std::accumulate(weights.begin(), weights.end(), 0.0f));
  }
  return log_probability;
}

float* TaggerChains::touch(Gradient& gradient, std::uint32_t row) {
  if (!gradient.is_touched_[row]) gradient.touched_.push_back(row);
  gradient.is_touched_[row] = true;
  return gradient.rows_.data() + row * gradient.stride_;
}

void TaggerChains::add_start_gradient(const State& y, double scale, Gradient& gradient) const {
  const auto amount = static_cast<float>(scale);
  for (std::size_t t = 0; t < length_; ++t) {
    const Value label = y[order_ + t];
    gradient.unary_[t * stride_ + label] += amount;
    if (t == 0) continue;
    if (const std::uint32_t row = tables_->row_after(y[order_ + t - 1]); row != 0)
      touch(gradient, row)[label] += amount;
  }
  gradient.starts_ += scale;
}

void TaggerChains::add_step_gradient(const State& y, State from, double scale, Gradient& gradient) const {
  for (std::size_t t = 0; t < length_; ++t) {
    condition(from, t);
    const auto total = std::accumulate(weights_.begin(), weights_.end(), 0.0f);
    for (float& weight : weights_) weight *= -static_cast<float>(scale) / total;
    weights_[y[order_ + t]] += static_cast<float>(scale);
    float* unary = gradient.unary_.data() + t * stride_;
    for (std::size_t k = 0; k < stride_; ++k) unary[k] += weights_[k];
    tables_->for_each_row(from.data() + order_ + t, [&](std::uint32_t number) {
      float* row = touch(gradient, number);
      for (std::size_t k = 0; k < stride_; ++k) row[k] += weights_[k];
    });
    from[order_ + t] = y[order_ + t];
  }
}

void TaggerChains::begin(Gradient& gradient) const {
  gradient.tables_ = tables_;
  gradient.stride_ = stride_;
  gradient.unary_.assign(length_ * stride_, 0.0f);
  gradient.rows_.resize(tables_->row_count() * stride_);
  gradient.is_touched_.resize(tables_->row_count());
  for (const std::uint32_t row : gradient.touched_) {
    std::fill_n(gradient.rows_.begin() + static_cast<std::ptrdiff_t>(row * stride_), stride_, 0.0f);
    gradient.is_touched_[row] = false;
  }
  gradient.touched_.clear();
  gradient.starts_ = 0;
}

void TaggerChains::finish(Gradient& gradient) {
  if (gradient.starts_ == 0) return;
  LabelSequences sequences(*pairs_);
  const std::uint32_t lengths[] = {static_cast<std::uint32_t>(length_)};
  sequences.reset(lengths);
  std::copy_n(unary_, length_ * stride_, sequences.unary(sequences.begin(0)));
  marginals_.resize(length_ * stride_);
  pair_counts_.assign((label_count_ + 1) * stride_, 0.0);
  sums_.rebind(*pairs_);
  sums_.run(sequences, 0, marginals_.data(), pairs_->factor_size() > 1 ? pair_counts_.data() : nullptr);
  const auto starts = static_cast<float>(gradient.starts_);
  for (std::size_t i = 0; i < marginals_.size(); ++i) gradient.unary_[i] -= starts * marginals_[i];
  for (std::size_t before = 0; before < label_count_; ++before) {
    const std::uint32_t number = tables_->row_after(static_cast<Value>(before));
    if (number == 0) continue;
    float* row = touch(gradient, number);
    for (std::size_t k = 0; k < stride_; ++k)
      row[k] -= static_cast<float>(gradient.starts_ * pair_counts_[before * stride_ + k]);
  }
}

}  // namespace fovea::sequence
