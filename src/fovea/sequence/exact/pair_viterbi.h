// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "fovea/base/aligned.h"
#include "fovea/sequence/model/label_ngrams.h"

namespace fovea::sequence::internal {

/// The scores of label pairs (factor size 1 or 2) as a matrix and its transpose. Rows are filled up to a multiple of 4
/// with rows that change nothing.
class PairScores {
 public:
  /// Log domain: filled with -inf. O(K^2).
  void bind(const LabelNgrams& ngrams);

  std::size_t labels = 0;
  std::size_t stride = 0;
  AlignedVector<float> from;  ///< [previous][label]
  AlignedVector<float> into;  ///< [label][previous]
};

struct PairSequence {
  const float* unary;  ///< [token][stride], log domain, 64-byte aligned
  std::size_t length;  ///< at least 1
  Value* labels;       ///< written
};

/// Number of sequences with rows of 16 that are decoded side by side.
inline constexpr std::size_t kNarrowPasses = 2;

/// Scratch memory of pair_viterbi.
struct PairViterbiScratch {
  std::size_t rows = 0;                    ///< tokens of the longest sequence so far
  AlignedVector<float> alpha;              ///< [token][stride], wide rows only
  AlignedVector<std::uint8_t> best_label;  ///< [pass][token][16]: the best label before each, rows of 16 only
};

/// Decodes some sequences by Viterbi; returns the sum of their scores. A sequence without a feasible labeling counts as
/// -inf and gets labels 0.
double pair_viterbi(const PairScores& scores, std::span<const PairSequence> sequences, PairViterbiScratch& scratch);

}  // namespace fovea::sequence::internal
