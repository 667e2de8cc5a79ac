// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <vector>

#include "fovea/base/aligned.h"
#include "fovea/exact/chain_states.h"
#include "fovea/graph/chains.h"

namespace fovea {

/// Viterbi over the best few states only: after every token the `width` best states are kept, each with the best
/// labeling that leads there. With width >= states().count() nothing is pruned and the result is exact. Any factor
/// size.
///
/// Cost per token: width * labels additions and width times a search for the best of them.
///
/// A reusable workspace: one per thread. Refers to the n-grams, whose label count must be that of the chains; the
/// chains' own n-grams play no part.
class BeamSearch {
 public:
  /// Throws UsageError if width < 1.
  BeamSearch(const LabelNgrams& ngrams, int width);

  /// Follows new scores (LabelNgrams built anew).
  void rebind(const LabelNgrams& ngrams) { states_.rebind(ngrams); }

  /// Writes labeling[begin..end) of one sequence (an Assignment over chain positions) and returns its log score, in
  /// double precision. If hard constraints exclude every labeling, or every one that the beam kept, returns -inf and
  /// the labels are 0. An empty sequence scores 0.
  double decode(const Chains& chains, std::size_t sequence, Assignment& labeling);

  /// Every sequence; returns the sum of their scores.
  double decode_all(const Chains& chains, Assignment& labeling);

  int width() const { return static_cast<int>(width_); }
  const ChainStates& states() const { return states_; }

 private:
  struct Hypothesis {
    std::uint32_t state = 0;
    std::uint32_t before = 0;  ///< number of the hypothesis one token earlier, among those of that token
    float score = 0;           ///< relative to the best of its token
  };

  void expand(const float* unary, const Hypothesis* before, std::size_t count);
  void select(std::size_t first_before, std::size_t count);
  double trace_back(const Chains& chains, std::size_t sequence, Assignment& labeling) const;

  ChainStates states_;
  std::size_t width_;
  AlignedVector<float> candidates_;       // [hypothesis][label]
  AlignedVector<float> best_;             // [hypothesis] the highest of its candidates
  std::vector<std::uint32_t> last_seen_;  // [state] the last token whose beam holds it
  std::uint32_t token_number_ = 0;        // over all calls
  std::vector<Hypothesis> hypotheses_;    // of all tokens, laid end to end
  std::vector<std::size_t> token_begin_;
};

}  // namespace fovea
