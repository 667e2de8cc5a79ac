// SPDX-License-Identifier: Apache-2.0
#include "fovea/sequence/exact/open_pair_chain.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>

#include "fovea/base/error.h"
#include "fovea/base/log_math.h"

namespace fovea::sequence {

OpenPairChain::OpenPairChain(const LabelNgrams& pairs) : base_(static_cast<std::size_t>(pairs.label_count()) + 1) {
  FOVEA_CHECK(pairs.factor_size() <= 2);
  pair_weights_.assign(base_ * base_, 0.0f);
  if (pairs.factor_size() == 2)
    for (std::size_t i = 0; i < base_; ++i)
      for (std::size_t k = 0; k + 1 < base_; ++k)
        pair_weights_[i * base_ + k] =
            pairs.window_score(std::array{static_cast<Value>(i), static_cast<Value>(k)}.data());
  const float largest = *std::max_element(pair_weights_.begin(), pair_weights_.end());
  for (float& score : pair_weights_) score -= largest;
  exponentiate(pair_weights_);
}

void OpenPairChain::weigh(const LabelSequences& sequences, const OpenLabels& open) {
  FOVEA_CHECK(sequences.ngrams().factor_size() > 1);  // a pad before and after each sequence
  weights_.clear();
  weights_.resize(open.total());
  for (std::size_t s = 0; s < sequences.sequence_count(); ++s)
    for (std::size_t p = sequences.begin(s); p < sequences.end(s); ++p) {
      const std::span<const Value> labels = open.at(p);
      const float* unary = sequences.unary(p);
      for (std::size_t i = 0; i < labels.size(); ++i)
        weights_[open.offset(p) + i] = unary[labels[i]] - unary[labels[0]];
    }
  exponentiate(weights_);
  alpha_.resize(weights_.size());
}

bool OpenPairChain::decode(const LabelSequences& sequences, std::size_t sequence, const OpenLabels& open,
                           Assignment& labeling, float* doubt, OpenLabels* still_open, float open_share) {
  const std::size_t end = sequences.end(sequence);
  for (std::size_t p = sequences.begin(sequence); p < end;) {
    const std::size_t first = p;
    while (p < end && open.at(p).size() > 1) ++p;
    if (p > first) {
      if (!decode_run(open, first, p, labeling, doubt, still_open, open_share)) return false;
    } else if (const Value label = labeling[p++]; pairs_from(labeling[first - 1])[label] == 0) {
      return false;
    }
  }
  return true;
}

bool OpenPairChain::forward(const OpenLabels& open, std::size_t begin, std::size_t end, Value before) {
  const float one = 1;
  std::span<const Value> previous(&before, 1);
  const float* previous_alpha = &one;
  for (std::size_t p = begin; p < end; ++p) {
    const std::span<const Value> labels = open.at(p);
    float* alpha = alpha_.data() + open.offset(p);
    const float* weights = weights_.data() + open.offset(p);
    std::fill_n(alpha, labels.size(), 0.0f);
    for (std::size_t o = 0; o < previous.size(); ++o) {
      const float* pairs = pairs_from(previous[o]);
      for (std::size_t i = 0; i < labels.size(); ++i) alpha[i] += previous_alpha[o] * pairs[labels[i]];
    }
    float sum = 0;
    for (std::size_t i = 0; i < labels.size(); ++i) sum += alpha[i] *= weights[i];
    if (!(sum >= std::numeric_limits<float>::min())) return false;
    const float scale = 1 / sum;
    for (std::size_t i = 0; i < labels.size(); ++i) alpha[i] *= scale;
    previous = labels;
    previous_alpha = alpha;
  }
  return true;
}

/// Decodes a run of tokens that have several open labels, between two that have one.
bool OpenPairChain::decode_run(const OpenLabels& open, std::size_t begin, std::size_t end, Assignment& labeling,
                               float* doubt, OpenLabels* still_open, float open_share) {
  if (!forward(open, begin, end, labeling[begin - 1])) return false;
  const Value after = labeling[end];
  const bool is_last = after + 1u == base_;
  beta_.clear();
  for (const Value label : open.at(end - 1)) beta_.push_back(is_last ? 1 : pairs_from(label)[after]);
  for (std::size_t p = end; p-- > begin; beta_.swap(next_beta_)) {
    const std::span<const Value> labels = open.at(p);
    const float* alpha = alpha_.data() + open.offset(p);
    marginals_.resize(labels.size());
    for (std::size_t i = 0; i < labels.size(); ++i) marginals_[i] = alpha[i] * beta_[i];
    const float sum = std::accumulate(marginals_.begin(), marginals_.end(), 0.0f);
    if (!(sum >= std::numeric_limits<float>::min())) return false;
    const std::size_t best = std::max_element(marginals_.begin(), marginals_.end()) - marginals_.begin();
    labeling[p] = labels[best];
    doubt[p] = std::max(0.0f, 1 - marginals_[best] / sum);
    const float least = open_share * marginals_[best];
    if (still_open && sum - marginals_[best] >= least)
      still_open->open(p, labels, marginals_, std::max(least, std::numeric_limits<float>::min()));
    if (p == begin) break;
    // sum is of the order of the largest beta, because alpha adds up to 1.
    const float* weights = weights_.data() + open.offset(p);
    for (std::size_t i = 0; i < labels.size(); ++i) beta_[i] *= weights[i] / sum;
    next_beta_.clear();
    for (const Value label : open.at(p - 1)) {
      const float* pairs = pairs_from(label);
      float total = 0;
      for (std::size_t i = 0; i < labels.size(); ++i) total += pairs[labels[i]] * beta_[i];
      next_beta_.push_back(total);
    }
  }
  return true;
}

}  // namespace fovea::sequence
