// SPDX-License-Identifier: Apache-2.0
#include "fovea/sequence/exact/stretch_sums.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "fovea/base/error.h"
#include "fovea/base/log_math.h"

namespace fovea::sequence {
namespace {

/// Scores that lie within this many nats are multiplied in the linear domain: three of them stay within its range.
constexpr double kNarrow = 200;

void add_log(double& sum, double term) {
  if (term == kImpossible) return;
  if (sum < term) std::swap(sum, term);
  sum += std::log1p(std::exp(term - sum));
}

/// to[i] = exp(from[i] - the largest), which is added to `scale`; false if the finite ones are too far apart.
template <class T>
bool make_linear(const T* from, std::size_t count, std::vector<double>& to, double& scale) {
  const double high = *std::max_element(from, from + count);
  if (high == kImpossible) return false;
  to.resize(count);
  for (std::size_t i = 0; i < count; ++i) {
    const double below = double{from[i]} - high;
    if (below < -kNarrow && below != kImpossible) return false;
    to[i] = std::exp(below);
  }
  scale += high;
  return true;
}

/// The sums in the linear domain as logarithms.
void leave_linear_domain(std::vector<double>& sums, double scale) {
  for (double& sum : sums) sum = std::log(sum) + scale;
}

}  // namespace

StretchSums::StretchSums(const LabelNgrams& ngrams)
    : states_(ngrams), label_count_(static_cast<std::size_t>(ngrams.label_count())) {
  bool narrow = true;
  for (std::uint32_t s = 0; s < states_.count(); ++s)
    for (Value k = 0; k < label_count_; ++k) {
      const float score = states_.row(s)[k];
      next_state_.push_back(states_.next(s, k));
      weights_.push_back(std::exp(double{score}));
      narrow = narrow && (std::abs(score) <= kNarrow || score == kImpossibleF);
    }
  if (!narrow) weights_.clear();
}

void StretchSums::bind(const LabelSequences& sequences, std::size_t sequence) {
  sequences_ = &sequences;
  begin_ = sequences.begin(sequence);
  length_ = sequences.end(sequence) - begin_;
  const std::size_t bytes = 2 * (length_ + 1) * states_.count() * sizeof(double);
  if (bytes > kMaxBytes)
    throw LimitError(fmt::format("{} tokens times {} states need {} MiB, more than {}", length_, states_.count(),
                                 bytes >> 20, kMaxBytes >> 20));
  alpha_.resize(std::max(alpha_.size(), length_ + 1));
  beta_.resize(std::max(beta_.size(), length_ + 1));
  alpha_[0].assign(states_.count(), kImpossible);
  alpha_[0][0] = 0;
  for (std::size_t t = 0; t < length_; ++t) step(alpha_[t], t, nullptr, alpha_[t + 1]);
  beta_[length_].assign(states_.count(), 0);
  for (std::size_t t = length_; t-- > 0;) step_back(beta_[t + 1], t, beta_[t]);
}

double StretchSums::log_z() const { return beta_[0][0]; }

double StretchSums::log_probability(std::size_t begin, std::size_t end, const StretchEvent& event) {
  const double log_z = this->log_z();
  if (log_z == kImpossible) return kImpossible;
  step(alpha_[begin], begin, &event.enter, now_);
  for (std::size_t t = begin + 1; t < end; ++t, std::swap(now_, next_)) step(now_, t, &event.inside, next_);
  const std::size_t base = static_cast<std::size_t>(states_.ngrams().label_count()) + 1;
  double sum = kImpossible;
  if (end == length_) {
    for (std::uint32_t s = 0; s < states_.count(); ++s)
      if (event.leave[states_.last(s) * base + base - 1]) add_log(sum, now_[s]);
  } else {
    step(now_, end, &event.leave, next_);
    for (std::uint32_t s = 0; s < states_.count(); ++s) add_log(sum, next_[s] + beta_[end + 1][s]);
  }
  return std::min(sum - log_z, 0.0);
}

bool StretchSums::enter_linear_domain(const Row& sums, std::size_t token) {
  scale_ = 0;
  return !weights_.empty() && make_linear(sums.data(), sums.size(), shares_, scale_) &&
         make_linear(unary(token), label_count_, factors_, scale_);
}

const char* StretchSums::row_of(const AllowedPairs* allowed, std::uint32_t state) const {
  return allowed ? allowed->data() + states_.last(state) * (label_count_ + 1) : nullptr;
}

void StretchSums::step(const Row& from, std::size_t token, const AllowedPairs* allowed, Row& to) {
  if (!enter_linear_domain(from, token)) return step_in_log_domain(from, token, allowed, to);
  to.assign(states_.count(), 0);
  for (std::uint32_t s = 0; s < states_.count(); ++s) {
    if (shares_[s] == 0) continue;
    const double* weights = weights_.data() + s * label_count_;
    const std::uint32_t* next = next_state_.data() + s * label_count_;
    const char* pairs = row_of(allowed, s);
    for (std::size_t k = 0; k < label_count_; ++k)
      if (!pairs || pairs[k]) to[next[k]] += shares_[s] * weights[k] * factors_[k];
  }
  leave_linear_domain(to, scale_);
}

void StretchSums::step_in_log_domain(const Row& from, std::size_t token, const AllowedPairs* allowed, Row& to) const {
  to.assign(states_.count(), kImpossible);
  for (std::uint32_t s = 0; s < states_.count(); ++s) {
    if (from[s] == kImpossible) continue;
    const float *scores = states_.row(s), *own = unary(token);
    const char* pairs = row_of(allowed, s);
    for (std::size_t k = 0; k < label_count_; ++k)
      if (!pairs || pairs[k]) add_log(to[next_state_[s * label_count_ + k]], from[s] + (double{scores[k]} + own[k]));
  }
}

void StretchSums::step_back(const Row& from, std::size_t token, Row& to) {
  if (!enter_linear_domain(from, token)) return step_back_in_log_domain(from, token, to);
  to.assign(states_.count(), 0);
  for (std::uint32_t s = 0; s < states_.count(); ++s) {
    const double* weights = weights_.data() + s * label_count_;
    const std::uint32_t* next = next_state_.data() + s * label_count_;
    for (std::size_t k = 0; k < label_count_; ++k) to[s] += weights[k] * factors_[k] * shares_[next[k]];
  }
  leave_linear_domain(to, scale_);
}

void StretchSums::step_back_in_log_domain(const Row& from, std::size_t token, Row& to) const {
  to.assign(states_.count(), kImpossible);
  for (std::uint32_t s = 0; s < states_.count(); ++s) {
    const float *scores = states_.row(s), *own = unary(token);
    for (std::size_t k = 0; k < label_count_; ++k)
      add_log(to[s], double{scores[k]} + own[k] + from[next_state_[s * label_count_ + k]]);
  }
}

}  // namespace fovea::sequence
