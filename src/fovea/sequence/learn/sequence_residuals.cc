// SPDX-License-Identifier: Apache-2.0
#include "fovea/sequence/learn/sequence_residuals.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "fovea/base/error.h"
#include "fovea/sequence/learn/label_rows.h"

namespace fovea::sequence {

SequenceResiduals::SequenceResiduals(const TrainingSet& set, const LabelNgrams& ngrams,
                                     std::span<const LabelNgram> scores, SequenceObjective objective)
    : set_(&set), ngrams_(&ngrams), objective_(objective), forward_backward_(ngrams) {
  const bool few = ngrams.label_count() <= PairChainLanes::kMaxLabels && ngrams.factor_size() <= 2;
  if (few && objective == SequenceObjective::kLikelihood) lanes_.emplace(ngrams.label_count());
  rebind(ngrams, scores);
}

void SequenceResiduals::rebind(const LabelNgrams& ngrams, std::span<const LabelNgram> scores) {
  ngrams_ = &ngrams;
  sequences_.emplace(ngrams);
  forward_backward_.rebind(ngrams);
  if (lanes_) lanes_->set_pairs(scores);
}

double SequenceResiduals::run(std::size_t first, std::size_t last, float* rows, double* windows, RowOutput output) {
  const std::vector<std::uint32_t>& begin = set_->items.sequence_begin;
  const std::size_t first_item = begin[first];
  double objective = 0;
  std::vector<RowRange> in_lanes;
  std::vector<Sequence> lane_sequences;
  clamped_windows_.clear();
  for (std::size_t s = first; s < last; ++s) {
    const Sequence seq = sequence(s, first_item, rows);
    if (lanes_ && seq.fully_labelled) {
      in_lanes.push_back({static_cast<std::uint32_t>(begin[s] - first_item), begin[s + 1] - begin[s]});
      lane_sequences.push_back(seq);
      continue;
    }
    objective += objective_ == SequenceObjective::kLikelihood ? run_exact(seq, windows) : run_pseudo(seq, windows);
    finish(seq, output, windows);
  }
  if (!in_lanes.empty()) objective += run_lanes(std::move(in_lanes), first_item, rows, windows);
  for (const Sequence& seq : lane_sequences) finish(seq, output, windows);
  if (output == RowOutput::kResidual)
    for (std::size_t i = 0; i < clamped_windows_.size(); ++i) windows[i] -= clamped_windows_[i];
  return objective;
}

SequenceResiduals::Sequence SequenceResiduals::sequence(std::size_t s, std::size_t first_item, float* rows) const {
  const std::size_t begin = set_->items.sequence_begin[s], end = set_->items.sequence_begin[s + 1];
  const std::span<const Value> labels(set_->labels.data() + begin, end - begin);
  return {labels, rows + (begin - first_item) * ngrams_->stride(),
          std::find(labels.begin(), labels.end(), kUnknownLabel) == labels.end()};
}

double SequenceResiduals::run_lanes(std::vector<RowRange> sequences, std::size_t first_item, float* rows,
                                    double* windows) {
  const std::size_t labels = ngrams_->label_count();
  std::vector<RowRange> failed;
  pair_counts_.assign(labels * labels, 0.0);
  double objective =
      lanes_->run(std::move(sequences), set_->labels.data() + first_item, rows, pair_counts_.data(), failed);
  if (ngrams_->factor_size() == 2)
    for (std::size_t i = 0; i < labels; ++i)
      for (std::size_t k = 0; k < labels; ++k) windows[i * ngrams_->stride() + k] += pair_counts_[i * labels + k];
  for (const RowRange range : failed)
    objective += run_exact(
        {{set_->labels.data() + first_item + range.begin, range.length}, rows + range.begin * ngrams_->stride(), true},
        windows);
  return objective;
}

double SequenceResiduals::run_exact(const Sequence& sequence, double* windows) {
  const auto length = static_cast<std::uint32_t>(sequence.labels.size());
  if (length == 0) return 0;
  sequences_->reset({&length, 1});
  for (std::size_t t = 0; t < length; ++t)
    std::copy_n(sequence.rows + t * ngrams_->stride(), ngrams_->label_count(),
                sequences_->unary(sequences_->begin(0) + t));
  const double log_z = forward_backward_.run(*sequences_, 0, sequence.rows, windows);
  if (!sequence.fully_labelled) return log_z - run_clamped(sequence);
  pad(sequence.labels);
  return log_z - sequences_->log_score(0, padded_);
}

/// Returns log Z over the labelings that agree with the known labels. Leaves the marginals in clamped_ and adds the
/// window counts to clamped_windows_, for finish() and run() to subtract.
double SequenceResiduals::run_clamped(const Sequence& sequence) {
  const std::size_t labels = ngrams_->label_count(), stride = ngrams_->stride();
  for (std::size_t t = 0; t < sequence.labels.size(); ++t) {
    float* unary = sequences_->unary(sequences_->begin(0) + t);
    for (std::size_t k = 0; k < labels; ++k)
      if (sequence.labels[t] != kUnknownLabel && sequence.labels[t] != k)
        unary[k] = -std::numeric_limits<float>::infinity();
  }
  clamped_.resize(sequence.labels.size() * stride);
  clamped_windows_.resize(ngrams_->context_count() * stride);
  const double log_z = forward_backward_.run(*sequences_, 0, clamped_.data(), clamped_windows_.data());
  return log_z;
}

void SequenceResiduals::pad(std::span<const Value> labels) {
  const std::size_t order = ngrams_->order();
  padded_.assign(labels.size() + 2 * order, ngrams_->pad());
  std::copy(labels.begin(), labels.end(), padded_.begin() + order);
}

double SequenceResiduals::run_pseudo(const Sequence& sequence, double* windows) {
  FOVEA_CHECK(sequence.fully_labelled);
  pad(sequence.labels);
  double objective = 0;
  for (std::size_t t = 0; t < sequence.labels.size(); ++t) {
    float* row = sequence.rows + t * ngrams_->stride();
    objective += condition(padded_.data() + ngrams_->order() + t, sequence.labels[t], row);
    add_conditional_windows(padded_.data() + ngrams_->order() + t, sequence.labels[t], row, windows);
  }
  return objective;
}

/// Replaces unary scores by p(. | neighbours); `padded` points at the token. Returns -log p(label | neighbours).
double SequenceResiduals::condition(const Value* padded, Value label, float* row) {
  const std::size_t labels = ngrams_->label_count(), stride = ngrams_->stride();
  const float* rows[kMaxFactorSize];
  float own = row[label];
  for (int slot = 0; slot < ngrams_->factor_size(); ++slot) {
    rows[slot] = ngrams_->row(slot, ngrams_->context(slot, padded - slot));
    own += rows[slot][label];
  }
  const float largest =
      site_weights(row, {rows, static_cast<std::size_t>(ngrams_->factor_size())}, labels, stride, row);
  double sum = 0;
  for (std::size_t k = 0; k < labels; ++k) sum += row[k];
  const auto scale = static_cast<float>(1 / sum);
  for (std::size_t k = 0; k < stride; ++k) row[k] *= scale;
  return double{largest} - own + std::log(sum);
}

/// Adds the windows that cover a token, weighted by p - [k = label] of its labels. finish() will subtract every window
/// of the labels once, as for the likelihood, so slot q - 1 leaves its observed part to finish().
void SequenceResiduals::add_conditional_windows(const Value* padded, Value label, const float* row, double* windows) {
  const std::size_t labels = ngrams_->label_count(), stride = ngrams_->stride(), base = labels + 1;
  const int last = ngrams_->factor_size() - 1;
  std::size_t digit = 1;  // weight of the slot's label in the context of the last slot
  for (int slot = last; slot >= 0; --slot) {
    const Value* window = padded - slot;
    const std::size_t context = ngrams_->context(last, window);
    if (slot == last) {
      for (std::size_t k = 0; k < labels; ++k) windows[context * stride + k] += row[k];
      continue;
    }
    if (window[last] != ngrams_->pad()) {
      const std::size_t rest = context - label * digit;
      for (std::size_t k = 0; k < labels; ++k)
        windows[(rest + k * digit) * stride + window[last]] += row[k] - (k == label ? 1.0 : 0.0);
    }
    digit *= base;
  }
}

/// Turns marginals into the output, and subtracts the observed windows.
void SequenceResiduals::finish(const Sequence& sequence, RowOutput output, double* windows) {
  const std::size_t stride = ngrams_->stride();
  if (output == RowOutput::kVariance) {
    for (std::size_t i = 0; i < sequence.labels.size() * stride; ++i)
      sequence.rows[i] *= 1 - std::min(sequence.rows[i], 1.0f);
    return;
  }
  if (!sequence.fully_labelled) {
    for (std::size_t i = 0; i < sequence.labels.size() * stride; ++i) sequence.rows[i] -= clamped_[i];
    return;
  }
  pad(sequence.labels);
  const int last = ngrams_->order();
  for (std::size_t t = 0; t < sequence.labels.size(); ++t) {
    sequence.rows[t * stride + sequence.labels[t]] -= 1;
    windows[ngrams_->context(last, padded_.data() + t) * stride + sequence.labels[t]] -= 1;
  }
}

}  // namespace fovea::sequence
