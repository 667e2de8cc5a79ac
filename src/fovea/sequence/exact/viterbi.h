// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <memory>

#include "fovea/sequence/exact/sequence_states.h"
#include "fovea/sequence/model/label_sequences.h"

namespace fovea::sequence {

/// Exact best labeling of a sequence, any factor size (Viterbi 1967 over SequenceStates).
///
/// Scores are compared in single precision and re-centred every 16 tokens: for T tokens, the labeling found scores at
/// least the best one minus 6 T 2^-24 M, where M bounds the partial scores of the best labeling between two
/// re-centrings. With m the largest |unary| + |window| of a token and r the range of window scores, M <= 16 m + (q - 1)
/// r without hard constraints. Where m is more than 4096, scores are compared in double precision (n_best), so that the
/// labeling agrees with the sums of ForwardBackward. The score returned is that of the labeling found, in double
/// precision. Among equal scores at factor size 2, the lower previous label wins, on every instruction set.
///
/// A reusable workspace: one per thread. Refers to the n-grams, whose label count must be that of the sequences; the
/// sequences' own n-grams play no part.
class Viterbi {
 public:
  /// Throws LimitError when decoding would take more memory than kMaxBytes (see viterbi_bytes).
  static constexpr std::size_t kMaxBytes = std::size_t{2} << 30;

  explicit Viterbi(const LabelNgrams& ngrams);
  ~Viterbi();
  Viterbi(Viterbi&&) noexcept;

  /// Adopts new scores (LabelNgrams built anew); keeps the states where the n-grams are the same except for scores.
  void rebind(const LabelNgrams& ngrams);

  /// Writes labeling[begin..end) of one sequence (an Assignment over positions) and returns its log score. If
  /// hard constraints exclude every labeling, returns -inf and the labels are 0. An empty sequence scores 0.
  double decode(const LabelSequences& sequences, std::size_t sequence, Assignment& labeling);

  /// Decodes every sequence; returns the sum of their scores.
  double decode_all(const LabelSequences& sequences, Assignment& labeling);

  const SequenceStates& states() const;

 private:
  struct Workspace;
  void require_match(const LabelSequences& sequences, const Assignment& labeling) const;
  std::unique_ptr<Workspace> workspace_;
};

/// Costs of decoding a sequence of `length` tokens: the bytes that grow with it (4 per token and state), and the score
/// additions (one for every state and label, and as many again for the states they lead to).
std::size_t viterbi_bytes(const SequenceStates& states, std::size_t length);
double viterbi_flops(const SequenceStates& states, std::size_t length);

/// The same from the n-grams alone; builds the states, O(context_count).
std::size_t viterbi_bytes(const LabelNgrams& ngrams, std::size_t length);
double viterbi_flops(const LabelNgrams& ngrams, std::size_t length);

}  // namespace fovea::sequence
