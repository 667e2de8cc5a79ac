// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "fovea/sequence/exact/beam_kernels.h"
#include "fovea/sequence/exact/sequence_states.h"
#include "fovea/sequence/exact/state_transitions.h"
#include "fovea/sequence/model/label_sequences.h"

namespace fovea::sequence {

/// Viterbi over only a few states: after every token the `width` best states are kept, each with the best labeling that
/// leads to it. With width >= states().count() nothing is pruned and the result is exact. Any factor size.
///
/// Cost per token: width * labels additions, and a sort of the few candidates that can be among the best.
///
/// A reusable workspace: one per thread. Refers to the n-grams, whose label count must be that of the sequences; the
/// sequences' own n-grams play no part.
class BeamSearch {
 public:
  static constexpr int kMaxWidth = 65535;

  /// Throws UsageError unless 1 <= width <= kMaxWidth.
  BeamSearch(const LabelNgrams& ngrams, int width);

  /// Adopts new scores (LabelNgrams built anew).
  void rebind(const LabelNgrams& ngrams);

  /// Writes labeling[begin..end) of one sequence (an Assignment over positions) and returns its log score, in
  /// double precision. If hard constraints exclude every labeling, or every one that the beam kept, returns -inf and
  /// the labels are 0. An empty sequence scores 0.
  double decode(const LabelSequences& sequences, std::size_t sequence, Assignment& labeling);

  /// Decodes every sequence; returns the sum of their scores.
  double decode_all(const LabelSequences& sequences, Assignment& labeling);

  int width() const { return static_cast<int>(width_); }
  const SequenceStates& states() const { return states_; }

 private:
  struct Hypothesis {
    std::uint32_t state = 0;
    std::uint32_t before = 0;  ///< number of the hypothesis one token earlier, among those of that token
    float score = 0;           ///< relative to the best of its token
  };

  void extend(const float* unary, std::size_t first_before);
  void recombine(const internal::BeamCandidates::List& candidates, std::size_t first_before);
  void prune(std::size_t first);
  double trace_back(const LabelSequences& sequences, std::size_t sequence, Assignment& labeling) const;

  SequenceStates states_;
  internal::StateTransitions transitions_;
  std::size_t width_;
  std::vector<internal::BeamRow> rows_;
  internal::BeamCandidates candidates_;
  struct LastSeen {
    std::uint64_t round = 0;  ///< of recombine(), over all calls
    std::size_t hypothesis = 0;
  };
  std::vector<LastSeen> last_seen_;  // [state]
  std::uint64_t round_ = 0;
  std::vector<Hypothesis> hypotheses_;  // of all tokens, laid end to end
  std::vector<std::size_t> token_begin_;
};

}  // namespace fovea::sequence
