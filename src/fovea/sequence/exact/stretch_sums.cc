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

void add_log(double& sum, double term) {
  if (term == kImpossible) return;
  if (sum < term) std::swap(sum, term);
  sum += std::log1p(std::exp(term - sum));
}

}  // namespace

StretchSums::StretchSums(const LabelNgrams& ngrams) : states_(ngrams) {}

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
  for (std::size_t t = length_; t-- > 0;) step_back(t);
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

void StretchSums::step(const Row& from, std::size_t token, const AllowedPairs* allowed, Row& to) {
  const auto labels = static_cast<Value>(states_.ngrams().label_count());
  to.assign(states_.count(), kImpossible);
  for (std::uint32_t s = 0; s < states_.count(); ++s) {
    if (from[s] == kImpossible) continue;
    const float *scores = states_.row(s), *own = unary(token);
    const char* pairs = allowed ? allowed->data() + states_.last(s) * (labels + std::size_t{1}) : nullptr;
    for (Value k = 0; k < labels; ++k)
      if (!pairs || pairs[k]) add_log(to[states_.next(s, k)], from[s] + (double{scores[k]} + own[k]));
  }
}

void StretchSums::step_back(std::size_t token) {
  const auto labels = static_cast<Value>(states_.ngrams().label_count());
  Row& to = beta_[token];
  to.assign(states_.count(), kImpossible);
  for (std::uint32_t s = 0; s < states_.count(); ++s) {
    const float *scores = states_.row(s), *own = unary(token);
    for (Value k = 0; k < labels; ++k)
      add_log(to[s], double{scores[k]} + own[k] + beta_[token + 1][states_.next(s, k)]);
  }
}

}  // namespace fovea::sequence
