// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "fovea/base/aligned.h"
#include "fovea/mcmc/conditional_model.h"
#include "fovea/sequence/model/label_ngrams.h"

namespace fovea::sequence {

/// Many label sequences laid end to end in one array of positions, with factor_size - 1 pads before the first, between
/// neighbours and after the last:
///
///   . . .  a a a a a  . . .  b b  . . .  c c c c  . . .        (factor size 4)
///
/// Every window around a position lies inside the array and never touches two sequences, so a kernel treats the whole
/// set as one long sequence (the paper's "concatenate all instances into one"), while exact routines take one sequence
/// at a time. A labeling is an Assignment over positions with label_count() (the pad label) at the pads.
class LabelSequences {
 public:
  /// `ngrams` must outlive the sequences.
  explicit LabelSequences(const LabelNgrams& ngrams) : ngrams_(&ngrams) {}

  /// Lays out sequences of these lengths; unary scores become 0 (padding lanes -inf). Keeps capacity.
  void reset(std::span<const std::uint32_t> lengths);

  const LabelNgrams& ngrams() const { return *ngrams_; }
  std::size_t sequence_count() const { return begin_.size(); }
  std::size_t token_count() const { return token_count_; }
  std::size_t position_count() const { return position_count_; }
  /// First position of a sequence, and one past its last.
  std::size_t begin(std::size_t sequence) const { return begin_[sequence]; }
  std::size_t end(std::size_t sequence) const { return end_[sequence]; }

  /// Log-domain unary scores at a position: stride() floats, 64-byte aligned; lanes past label_count() are -inf.
  float* unary(std::size_t position) { return unary_.data() + position * ngrams_->stride(); }
  const float* unary(std::size_t position) const { return unary_.data() + position * ngrams_->stride(); }

  /// All pads at pads, label 0 elsewhere.
  Assignment make_labeling() const;

  /// Unnormalised log p of one sequence, or of all, under a labeling of all positions; double accumulation.
  double log_score(std::size_t sequence, const Assignment& labeling) const;
  double log_score(const Assignment& labeling) const;

 private:
  const LabelNgrams* ngrams_;
  std::size_t token_count_ = 0;
  std::size_t position_count_ = 0;
  std::vector<std::size_t> begin_, end_;
  AlignedVector<float> unary_;  // [position][label]
};

/// One sequence of `sequences` as a ConditionalModel over its own tokens 0 .. length - 1. Slow and simple: it scores
/// whole windows label by label. Kernels and exact routines are tested against it.
class SequenceView {
 public:
  SequenceView(const LabelSequences& sequences, std::size_t sequence) : sequences_(&sequences), sequence_(sequence) {}

  std::size_t variable_count() const { return sequences_->end(sequence_) - sequences_->begin(sequence_); }
  std::size_t cardinality(VariableId) const { return sequences_->ngrams().label_count(); }
  void conditional_scores(VariableId v, const Assignment& y, std::span<float> scores) const;
  std::vector<VariableId> markov_blanket(VariableId v) const;
  double log_score(const Assignment& y) const;

 private:
  const LabelSequences* sequences_;
  std::size_t sequence_;
};

static_assert(mcmc::ConditionalModel<SequenceView>);

}  // namespace fovea::sequence
