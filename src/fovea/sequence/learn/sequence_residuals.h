// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "fovea/base/aligned.h"
#include "fovea/sequence/exact/forward_backward.h"
#include "fovea/sequence/learn/pair_chain_lanes.h"
#include "fovea/sequence/learn/training_set.h"
#include "fovea/sequence/model/label_sequences.h"

namespace fovea::sequence {

/// Output that replaces a token's unary scores.
enum class RowOutput {
  kResidual,  ///< p(k) - target(k): the derivative of the objective by the unary score
  kVariance,  ///< p(k) (1 - p(k)): its second derivative, where the label is known
};

/// Objective that training minimises, a sum over sequences.
enum class SequenceObjective {
  kLikelihood,        ///< -log p(y | x) = log Z - score(y); log Z - log Z(labels as far as known) for partial labels
  kPseudoLikelihood,  ///< -sum_t log p(y_t | the other labels, x); needs all labels
};

/// The contribution of some sequences to objective and gradient, given their unary scores and the label n-grams. A
/// reusable workspace, one per thread.
class SequenceResiduals {
 public:
  /// `set` and `ngrams` must outlive the object, or the next rebind().
  SequenceResiduals(const TrainingSet& set, const LabelNgrams& ngrams, std::span<const LabelNgram> scores,
                    SequenceObjective objective);

  /// Adopts new scores of the same n-grams (`scores`: those from which `ngrams` was made).
  void rebind(const LabelNgrams& ngrams, std::span<const LabelNgram> scores);

  /// Evaluates sequences [first, last) of the set. rows: stride() floats for each of their items, unary scores in,
  /// `output` out. windows: [context of slot q - 1][stride], to which expected - observed window counts are ADDED, in
  /// the form of ForwardBackward::run. Returns the objective.
  double run(std::size_t first, std::size_t last, float* rows, double* windows, RowOutput output);

 private:
  struct Sequence {
    std::span<const Value> labels;
    float* rows;
    bool fully_labelled;
  };

  Sequence sequence(std::size_t s, std::size_t first_item, float* rows) const;
  double run_lanes(std::vector<RowRange> sequences, std::size_t first_item, float* rows, double* windows);
  double run_exact(const Sequence& sequence, double* windows);
  double run_clamped(const Sequence& sequence);
  double run_pseudo(const Sequence& sequence, double* windows);
  double condition(const Value* padded, Value label, float* row);
  void add_conditional_windows(const Value* padded, Value label, const float* row, double* windows);
  void finish(const Sequence& sequence, RowOutput output, double* windows);
  void pad(std::span<const Value> labels);

  const TrainingSet* set_;
  const LabelNgrams* ngrams_;
  SequenceObjective objective_;
  ForwardBackward forward_backward_;
  std::optional<LabelSequences> sequences_;
  std::optional<PairChainLanes> lanes_;
  std::vector<double> pair_counts_, clamped_windows_;
  AlignedVector<float> clamped_;
  std::vector<Value> padded_;
};

}  // namespace fovea::sequence
