// SPDX-License-Identifier: Apache-2.0
#include "fovea/sequence/model/label_sequences.h"

#include <algorithm>
#include <limits>

#include "fovea/base/error.h"

namespace fovea::sequence {

void LabelSequences::reset(std::span<const std::uint32_t> lengths) {
  const std::size_t gap = ngrams_->order();
  begin_.clear();
  end_.clear();
  token_count_ = 0;
  position_count_ = gap;
  for (const std::uint32_t length : lengths) {
    begin_.push_back(position_count_);
    end_.push_back(position_count_ + length);
    token_count_ += length;
    position_count_ += length + gap;
  }
  const std::size_t stride = ngrams_->stride();
  const std::size_t labels = ngrams_->label_count();
  unary_.resize(position_count_ * stride);
  for (std::size_t p = 0; p < position_count_; ++p) {
    std::fill_n(unary(p), labels, 0.0f);
    std::fill_n(unary(p) + labels, stride - labels, -std::numeric_limits<float>::infinity());
  }
}

Assignment LabelSequences::make_labeling() const {
  Assignment labeling(position_count_, ngrams_->pad());
  for (std::size_t s = 0; s < sequence_count(); ++s)
    std::fill(labeling.begin() + begin_[s], labeling.begin() + end_[s], 0);
  return labeling;
}

double LabelSequences::log_score(std::size_t sequence, const Assignment& labeling) const {
  FOVEA_CHECK(labeling.size() == position_count_);
  double score = 0;
  for (std::size_t p = begin_[sequence]; p < end_[sequence]; ++p)
    score += double{unary(p)[labeling[p]]} + double{ngrams_->window_score(labeling.data() + p - ngrams_->order())};
  return score;
}

double LabelSequences::log_score(const Assignment& labeling) const {
  double score = 0;
  for (std::size_t s = 0; s < sequence_count(); ++s) score += log_score(s, labeling);
  return score;
}

void SequenceView::conditional_scores(VariableId v, const Assignment& y, std::span<float> scores) const {
  Assignment changed = y;
  for (std::size_t k = 0; k < cardinality(v); ++k) {
    changed[v] = static_cast<Value>(k);
    scores[k] = static_cast<float>(log_score(changed));
  }
}

std::vector<VariableId> SequenceView::markov_blanket(VariableId v) const {
  const std::size_t reach = sequences_->ngrams().order();
  std::vector<VariableId> blanket;
  for (std::size_t u = v - std::min<std::size_t>(v, reach); u < std::min(variable_count(), v + reach + 1); ++u)
    if (u != v) blanket.push_back(static_cast<VariableId>(u));
  return blanket;
}

double SequenceView::log_score(const Assignment& y) const {
  const std::size_t order = sequences_->ngrams().order();
  Assignment padded(order, sequences_->ngrams().pad());
  padded.insert(padded.end(), y.begin(), y.end());
  double score = 0;
  for (std::size_t t = 0; t < y.size(); ++t)
    score += double{sequences_->unary(sequences_->begin(sequence_) + t)[y[t]]} +
             double{sequences_->ngrams().window_score(padded.data() + t)};
  return score;
}

}  // namespace fovea::sequence
