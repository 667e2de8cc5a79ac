// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

#include "fovea/sequence/exact/pair_sums.h"
#include "fovea/sequence/exact/state_plan.h"

namespace fovea::sequence::internal {

/// Forward-backward over SequenceStates in the linear domain, rescaled at every token: PairSums for any factor size,
/// with the same notation, the same reasoning about what is lost, and states in place of labels. Scores reach q - 1
/// tokens back, so the range within which nothing needs checking is q - 1 times narrower.
class StateSums {
 public:
  /// Adopts new scores; structure_changed: the negated result of SequenceStates::rebind. Exponentiates every row.
  void bind(const SequenceStates& states, bool structure_changed);

  /// True if no score is so far below the highest that forward() alone cannot be trusted.
  bool narrow_range() const { return narrow_range_; }

  /// unary: [token][stride], log domain, 64-byte aligned; length >= 1. Sets log_z when done. False if the numbers do
  /// not fit, or a token has no label that is allowed by itself: use the log domain.
  bool forward(const float* unary, std::size_t length, double& log_z);

  /// After forward() of the same sequence; results as in ForwardBackward::run. Window counts are added only when done.
  /// False if the numbers do not fit.
  bool backward(const SequenceStates& states, std::size_t length, float* marginals, double* window_expectations);

  /// Working memory, for the vectorised parts.
  struct Workspace {
    StatePlan plan;
    double highest = 0;                  ///< of all scores, log domain
    AlignedVector<float> rows;           ///< [slot][stride] exp(score - highest)
    AlignedVector<float> passes;         ///< [hub][stride] 0 where the hub has a child, else 1
    AlignedVector<float> tables;         ///< [table][stride]
    AlignedVector<float> weights;        ///< [token][stride] u_t
    AlignedVector<float> alpha;          ///< [token][row_size] a_t
    AlignedVector<float> beta;           ///< [row_size] b_t
    AlignedVector<float> inverse_scale;  ///< [token] 1 / c_t
    AlignedVector<float> windows;        ///< [slot][stride] sums of alpha(s) * (u_t b_t)(k)
    std::vector<double>
        window_sums;  ///< [slot][stride] those of earlier blocks of tokens (PairSums<float>::kCountBlock)
    AlignedVector<float> first_marginal;  ///< [stride] of token 0
  };

 private:
  void add_windows(const SequenceStates& states, double* window_expectations) const;

  Workspace workspace_;
  bool narrow_range_ = true;
};

}  // namespace fovea::sequence::internal
