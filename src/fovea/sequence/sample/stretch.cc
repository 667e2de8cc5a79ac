// SPDX-License-Identifier: Apache-2.0
#include "fovea/sequence/sample/stretch.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "fovea/base/log_math.h"

namespace fovea::sequence::internal {
void Stretch::begin(const Assignment& labeling, std::size_t first) {
  labeling_ = labeling.data();
  first_ = first;
  history_ = ngrams_->order();
  constrained_ = false;
  positions_.clear();
  scores_.clear();
  contexts_ = {ngrams_->context(static_cast<int>(history_), labeling_ + first - history_)};
}

void Stretch::add(std::span<const Value> labels) {
  positions_.push_back({.labels = labels.data(), .count = static_cast<std::uint32_t>(labels.size())});
}

void Stretch::score(std::size_t max_windows) {
  site_count_ = positions_.size();
  for (std::ptrdiff_t j = 0; j < history_; ++j) add({labeling_ + first_ + site_count_ + j, 1});
  bound_windows(max_windows);
  std::size_t values = 0;
  for (std::size_t t = 0; t < positions_.size(); ++t) {
    positions_[t].windows = scores_.size();
    positions_[t].values = values;
    positions_[t].states = modulus(t) * positions_[t].count;
    values += positions_[t].states;
    score_position(t);
    advance_contexts(t);
  }
}

void Stretch::bound_windows(std::size_t max_windows) {
  const std::size_t width = static_cast<std::size_t>(history_) + 1;
  for (std::size_t t = 0; t < positions_.size(); ++t) {
    const std::span<Position> window(positions_.data() + (t < width ? 0 : t + 1 - width), std::min(t + 1, width));
    for (;;) {
      std::size_t product = 1;
      for (const Position& p : window) product *= p.count;
      if (product <= max_windows) break;
      --std::max_element(window.begin(), window.end(), [](auto& a, auto& b) { return a.count < b.count; })->count;
    }
  }
}

void Stretch::score_position(std::size_t t) {
  const Position& position = positions_[t];
  const bool is_pad = position.labels[0] == ngrams_->pad();
  const float* unary = is_pad ? nullptr : sequences_->unary(first_ + t);
  float largest = -std::numeric_limits<float>::infinity(), smallest = 0;
  for (const std::size_t context : contexts_) {
    const float* row = ngrams_->row(static_cast<int>(history_), context);
    for (std::uint32_t l = 0; l < position.count; ++l) {
      const float score = is_pad ? 0.0f : row[position.labels[l]] + unary[position.labels[l]];
      scores_.push_back(score);
      largest = std::max(largest, score);
      smallest = std::min(smallest, score);
    }
  }
  constrained_ |= std::isinf(smallest);
  if (std::isfinite(largest))
    for (std::size_t i = position.windows; i < scores_.size(); ++i) scores_[i] -= largest;
}

/// Computes the contexts of the states after position t.
void Stretch::advance_contexts(std::size_t t) {
  const Position& position = positions_[t];
  const std::size_t base = static_cast<std::size_t>(ngrams_->label_count()) + 1;
  const std::size_t newest = ngrams_->context_count() / base;  // contexts that differ in all but their oldest label
  next_contexts_.clear();
  for (std::uint32_t o = 0; o < position.states / position.count; ++o)
    for (std::uint32_t l = 0; l < position.count; ++l)
      next_contexts_.push_back(contexts_[o] % newest * base + position.labels[l]);
  contexts_.swap(next_contexts_);
}

/// Calls body(state before t, state after t, window of t) for every window that ends at position t.
template <class Body>
void Stretch::for_each_window(std::size_t t, const Body& body) const {
  const std::uint32_t count = positions_[t].count, m = modulus(t);
  std::size_t window = positions_[t].windows;
  for (std::uint32_t o = 0, oldest = oldest_count(t); oldest > 0; --oldest)
    for (std::uint32_t after = 0; after < m * count; ++o)
      for (std::uint32_t l = 0; l < count; ++l) body(o, after++, window++);
}

bool Stretch::find_best(Value* labels) {
  const std::size_t values = positions_.back().values + positions_.back().states;
  alpha_.assign(values, kImpossible);
  before_.assign(values, 0);
  const double start = 0;
  for (std::size_t t = 0; t < positions_.size(); ++t) {
    const Position& p = positions_[t];
    const double* before = t == 0 ? &start : alpha_.data() + positions_[t - 1].values;
    for_each_window(t, [&](std::uint32_t o, std::uint32_t after, std::size_t window) {
      const double value = before[o] + double{scores_[window]};
      if (value <= alpha_[p.values + after]) return;
      alpha_[p.values + after] = value;
      before_[p.values + after] = static_cast<std::uint16_t>(o);
    });
  }
  if (alpha_.back() == kImpossible) return false;
  std::uint32_t state = 0;  // the one state after the last position
  for (std::size_t t = positions_.size(); t-- > 0;) {
    const Position& p = positions_[t];
    if (t < site_count_) labels[t] = p.labels[state % p.count];
    state = before_[p.values + state];
  }
  return true;
}

bool Stretch::sum_forward() {
  weights_ = scores_;
  exponentiate(weights_);
  alpha_.assign(positions_.back().values + positions_.back().states, 0.0);
  const double start = 1;
  for (std::size_t t = 0; t < positions_.size(); ++t) {
    const Position& p = positions_[t];
    const double* before = t == 0 ? &start : alpha_.data() + positions_[t - 1].values;
    double* after = alpha_.data() + p.values;
    for_each_window(t, [&](std::uint32_t o, std::uint32_t s, std::size_t window) {
      after[s] += before[o] * double{weights_[window]};
    });
    const double sum = std::accumulate(after, after + p.states, 0.0);
    if (!(sum > 0)) return false;
    const double scale = 1 / sum;
    for (std::uint32_t s = 0; s < p.states; ++s) after[s] *= scale;
  }
  return true;
}

/// Computes beta of position t - 1 from that of t, scaled so that its largest value is 1.
void Stretch::sum_backward(std::size_t t) {
  next_beta_.assign(states_before(t), 0.0);
  for_each_window(t, [&](std::uint32_t o, std::uint32_t after, std::size_t window) {
    next_beta_[o] += double{weights_[window]} * beta_[after];
  });
  const double scale = 1 / *std::max_element(next_beta_.begin(), next_beta_.end());
  for (double& value : next_beta_) value *= scale;
  beta_.swap(next_beta_);
}

/// Sets marginals_ to those of position t, normalised; false where alpha and beta have no state in common.
bool Stretch::add_marginals(std::size_t t) {
  const Position& p = positions_[t];
  marginals_.assign(p.count, 0.0);
  for (std::uint32_t s = 0; s < p.states; s += p.count)
    for (std::uint32_t l = 0; l < p.count; ++l) marginals_[l] += alpha_[p.values + s + l] * beta_[s + l];
  const double sum = std::accumulate(marginals_.begin(), marginals_.end(), 0.0);
  for (double& value : marginals_) value /= sum;
  return sum > 0;
}

bool Stretch::find_marginal(Value* labels, float* doubt) {
  if (!sum_forward()) return false;
  beta_ = {1};
  for (std::size_t t = positions_.size(); t-- > 0; sum_backward(t)) {
    if (t >= site_count_) continue;
    if (!add_marginals(t)) return false;
    const auto best = std::max_element(marginals_.begin(), marginals_.end());
    labels[t] = positions_[t].labels[best - marginals_.begin()];
    if (doubt && marginals_.size() > 1) doubt[t] = static_cast<float>(1 - *best);
  }
  return true;
}

bool Stretch::possible(const Value* labels) const {
  std::size_t state = 0;
  for (std::size_t t = 0; t < positions_.size(); ++t) {
    const Position& p = positions_[t];
    const std::size_t l = t < site_count_ ? std::find(p.labels, p.labels + p.count, labels[t]) - p.labels : 0;
    if (std::isinf(scores_[p.windows + state * p.count + l])) return false;
    state = state % modulus(t) * p.count + l;
  }
  return true;
}

}  // namespace fovea::sequence::internal
