// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "fovea/base/aligned.h"
#include "fovea/sequence/exact/sequence_states.h"
#include "fovea/sequence/model/label_sequences.h"
#include "fovea/sequence/model/open_labels.h"

namespace fovea::sequence {

/// Exact sums over all labelings of one sequence: log Z, token marginals, expected window counts. Any factor size.
///
/// Works in single precision and the linear domain, rescaled at every token, where that is provably harmless (log Z and
/// marginals are right to about 1e-6). For scores that reach too far it works in double precision and the log domain,
/// which is far slower. Any finite scores and any -inf give the right answer.
///
/// A reusable workspace: one per thread. Refers to the n-grams, whose label count must be that of the sequences; the
/// sequences' own n-grams play no part, so a low-order model can run on sequences laid out for a high-order one.
class ForwardBackward {
 public:
  /// run() throws LimitError when it would take more memory than this (see forward_backward_bytes).
  static constexpr std::size_t kMaxBytes = std::size_t{2} << 30;

  explicit ForwardBackward(const LabelNgrams& ngrams);
  ~ForwardBackward();
  ForwardBackward(ForwardBackward&&) noexcept;

  /// Adopts new scores (LabelNgrams built anew); keeps the states where the n-grams are the same except for scores.
  void rebind(const LabelNgrams& ngrams);

  /// log Z of one sequence; -inf if it is infeasible (marginals are then 0 and no counts are added), 0 if it is empty.
  /// marginals: [token][stride], p(y_t = k), linear domain, lanes past label_count() are 0; or nullptr.
  /// window_expectations: [context of slot q - 1][stride], or nullptr. For every token, the probability of (history,
  /// label) is ADDED at [states().context(s)][label], where s is the state of the history: a context that has the same
  /// row, and ends in every label string that begins an n-gram and in which the history ends. Thus the expected count
  /// of an n-gram (l_1..l_n) is the sum at label l_n over the contexts that end in l_1..l_{n-1}. At factor size 2
  /// contexts are the previous label, or the pad at the first token.
  double run(const LabelSequences& sequences, std::size_t sequence, float* marginals, double* window_expectations);

  /// Maximum posterior marginal decoding: labeling[begin..end) = the likeliest label of each token, doubt[begin..end) =
  /// 1 - its marginal; both are indexed by position, either may be nullptr. Returns log Z; if that is -inf, the labels
  /// are 0 and doubt is 1. Where several labels have a marginal of at least `open_share` times the largest, these are
  /// opened in `open` unless it is null.
  double decode(const LabelSequences& sequences, std::size_t sequence, Assignment* labeling, float* doubt,
                OpenLabels* open = nullptr, float open_share = 1);

  const SequenceStates& states() const;

 private:
  struct Workspace;
  std::unique_ptr<Workspace> workspace_;
};

/// Upper bound on the bytes that grow with the sequence when one of `length` tokens is summed over (8 per token and
/// state).
std::size_t forward_backward_bytes(const SequenceStates& states, std::size_t length);

}  // namespace fovea::sequence
