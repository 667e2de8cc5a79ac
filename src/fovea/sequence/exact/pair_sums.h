// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

#include "fovea/base/aligned.h"
#include "fovea/sequence/model/label_ngrams.h"

namespace fovea::sequence::internal {

/// Label pairs (factor size 1 or 2) in the linear domain: exp(score - highest), as a matrix and its transpose. Rows are
/// filled up to a multiple of 4 with zeros.
class PairPotentials {
 public:
  /// O(K^2) exponentials.
  void bind(const LabelNgrams& ngrams);

  std::size_t labels = 0;
  std::size_t stride = 0;
  double highest = 0;         ///< the highest score, log domain
  bool narrow_range = true;   ///< no score is more than kNarrowRange below the highest
  AlignedVector<float> from;  ///< [previous][label]
  AlignedVector<float> into;  ///< [label][previous]
};

/// Forward-backward over label pairs in the linear domain, single precision, rescaled at every token:
///
///   u_t = exp(unary_t - max unary_t),  c_t = sum of a_t
///   a_0 = u_0,  a_t = u_t * (a_{t-1} / c_{t-1}) from,   log Z = sum_t (log c_t + max unary_t) + (T - 1) highest
///   b_{T-1} = 1 / c_{T-1},  b_{t-1} = into (u_t * b_t) / c_{t-1},   p(y_t = k) = a_t(k) b_t(k)
///
/// What is too small for a float becomes 0. What a_t, u_t or `from` lose that way is below 1e-37 of c_t and so, of the
/// whole sum, below 1e-37 max b_t per token and label: harmless as long as b stays below kMaxBeta. It always does if no
/// pair is more than kNarrowRange below the highest (b_t <= exp(2 kNarrowRange)). Otherwise it is checked, and
/// backward() refuses if it fails.
class PairSums {
 public:
  static constexpr double kNarrowRange = 28;
  static constexpr float kMaxBeta = 1e25f;
  /// Window counts are summed in single precision over this many tokens, then in double: a single float cannot count
  /// 100,000 tokens to the precision that training needs.
  static constexpr std::size_t kCountBlock = 128;

  enum class Status {
    kDone,
    kInfeasible,  ///< a token has no label that is allowed by itself
    kUnsafe       ///< the numbers do not fit; use the log domain
  };

  /// unary: [token][stride], log domain, 64-byte aligned; length >= 1. Sets log_z when done.
  Status forward(const PairPotentials& potentials, const float* unary, std::size_t length, double& log_z);

  /// After forward() of the same sequence; results as in ForwardBackward::run. Window counts are added only when done.
  Status backward(const PairPotentials& potentials, std::size_t length, float* marginals, double* window_expectations);

  /// Working memory, for the vectorised parts.
  AlignedVector<float> weights;        ///< [token][stride] u_t, in backward() u_t b_t / c_{t-1}
  AlignedVector<float> alpha;          ///< [token][stride] a_t
  AlignedVector<float> inverse_scale;  ///< [token] 1 / c_t
  AlignedVector<float> beta;           ///< [stride] b_t, in the end b_0
};

}  // namespace fovea::sequence::internal
