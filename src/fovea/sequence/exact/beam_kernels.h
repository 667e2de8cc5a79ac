// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "fovea/base/aligned.h"

namespace fovea::sequence::internal {

/// Labels are 16-bit Values; beams have fewer than 2^16 hypotheses.
inline constexpr int kBeamLabelBits = 16;

/// One hypothesis to extend by every label.
struct BeamRow {
  const float* scores;  ///< of each label after its history: [stride], 64-byte aligned
  float score;          ///< of the hypothesis
};

/// The candidates score + scores[k] + unary[k] of some rows, and the best of them.
class BeamCandidates {
 public:
  /// Computes all candidates. unary: [stride], lanes past the labels are -inf.
  void expand(const float* unary, std::size_t stride, const BeamRow* rows, std::size_t count);

  struct List {
    std::span<const float> scores;
    std::span<const std::uint32_t> numbers;  ///< row << kBeamLabelBits | label, ascending
    bool all;                                ///< true if there are no others above -inf
  };

  /// Returns at least the best `enough` candidates above -inf, but not many more; all, if there are fewer.
  List best(std::size_t enough);

 private:
  std::size_t stride_ = 0, rows_ = 0;
  float highest_ = 0;
  float gap_ = 1;                // between the highest and the last threshold
  AlignedVector<float> scores_;  // [row][stride]
  AlignedVector<float> kept_scores_;
  AlignedVector<std::uint32_t> kept_numbers_;
};

}  // namespace fovea::sequence::internal
