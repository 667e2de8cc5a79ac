// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <cstddef>
#include <limits>

#include "fovea/base/aligned.h"

namespace fovea::sequence::internal {

/// Numbers in a row of `labels` scores: a multiple of a cache line.
template <class Real>
constexpr std::size_t pair_stride(std::size_t labels) {
  constexpr std::size_t kLine = kRowAlignment / sizeof(Real);
  return (labels + kLine - 1) / kLine * kLine;
}

/// Weights of label pairs in the linear domain, exp(score - highest score), as a matrix and its transpose. Rows are
/// filled up with zeros to the stride, matrices to a multiple of 4 rows.
template <class Real>
struct PairWeights {
  /// Makes room for square matrices; entries are old or 0.
  void resize(std::size_t label_count);
  /// Sets `into` from `from`.
  void transpose();

  std::size_t labels = 0;
  std::size_t stride = 0;
  AlignedVector<Real> from;  ///< [previous][label]
  AlignedVector<Real> into;  ///< [label][previous]
};

/// In single precision, pairs whose scores are no further than this below the highest need no check of b:
/// b_t <= exp(2 kNarrowRange).
inline constexpr double kNarrowRange = 28;

/// Multiplies numbers and takes one logarithm for many of them.
class LogProduct {
 public:
  void multiply(double factor) {
    product_ *= factor;
    if (product_ > 1e150 || product_ < 1e-150) flush();
  }
  double log() {
    flush();
    return log_;
  }

 private:
  void flush() {
    log_ += std::log(product_);
    product_ = 1;
  }
  double product_ = 1, log_ = 0;
};

/// Forward-backward over label pairs in the linear domain, rescaled at every token. With weights u_t of labels and
/// `from` of pairs, each at most 1:
///
///   a_0 = u_0,  a_t = u_t * (a_{t-1} / c_{t-1}) from,   c_t = sum of a_t,   log of the sum = sum_t log c_t
///   b_{T-1} = 1 / c_{T-1},  b_{t-1} = into w_t  with  w_t = u_t * b_t / c_{t-1},   p(y_t = k) = a_t(k) b_t(k)
///   sum_t p(y_{t-1} = j, y_t = k) = from(j, k) sum_t a_{t-1}(j) w_t(k)
///
/// Dividing by the previous token's sum, rather than by a_t's own, spares the recursion a wait. What is too small for a
/// number becomes 0. What a_{t-1} from, u_t or `from` lose that way is below the smallest number before it is divided
/// by c_{t-1}, and so, of the whole sum, below that times max b_t / c_{t-1} per token and label: harmless as long as b
/// stays below kMaxBeta and that product below kMaxQuotient, which backward() checks. In single precision, b is
/// renormalised now and then and marginals are cut at 1, since rounding shows. Vectors keep their memory from one
/// sequence to the next: use one of these per thread.
template <class Real>
class PairSums {
 public:
  static constexpr Real kMaxBeta = static_cast<Real>(sizeof(Real) == sizeof(float) ? 1e25 : 1e280);
  static constexpr Real kMaxQuotient = static_cast<Real>(sizeof(Real) == sizeof(float) ? 1e36 : 1e300);
  /// Pairs are counted in Real over this many tokens, then in double: a single float cannot count 100,000 tokens to the
  /// precision that training needs.
  static constexpr std::size_t kCountBlock =
      sizeof(Real) == sizeof(float) ? 128 : std::numeric_limits<std::size_t>::max() / 2;

  /// Makes room for a sequence; length >= 1. `weights` are then for the caller to fill.
  void resize(const PairWeights<Real>& pairs, std::size_t length);

  /// Sets log_sum. False, and nothing to go on with, if a token's sum is not a number of full precision.
  bool forward(const PairWeights<Real>& pairs, std::size_t length);

  /// After forward(), once. marginals: [token][stride], may be null. False if b or b / c left the safe range.
  bool backward(const PairWeights<Real>& pairs, std::size_t length, Real* marginals);

  /// After backward(): counts[j][k] += expected number of tokens k that follow j.
  void add_pairs(const PairWeights<Real>& pairs, std::size_t length, double* counts) const;

  AlignedVector<Real> weights;        ///< [token][stride] u_t; w_t after backward()
  AlignedVector<Real> alpha;          ///< [token][stride] a_t
  AlignedVector<Real> scale;          ///< [token] c_t
  AlignedVector<Real> inverse_scale;  ///< [token] 1 / c_t
  AlignedVector<Real> beta;           ///< [stride] b_t, in the end b_0
  double log_sum = 0;                 ///< log of the sum over labelings of the products of weights

  /// The vectorised recursions, for one instruction set.
  struct Recursions {
    bool (*forward)(const PairWeights<Real>& pairs, std::size_t length, PairSums& sums);
    bool (*backward)(const PairWeights<Real>& pairs, std::size_t length, Real* marginals, PairSums& sums);
    void (*count)(const PairWeights<Real>& pairs, std::size_t length, const PairSums& sums, double* counts);
  };

 private:
  static Recursions recursions();
};

/// weights: [token][stride], exp(unary - the token's highest score), 0 where that is below about 1e-38. Adds the
/// highest scores to `shift`. False if a token has no label that is allowed by itself.
bool exponentiate_tokens(const float* unary, std::size_t length, std::size_t stride, float* weights, double& shift);

template <>
PairSums<float>::Recursions PairSums<float>::recursions();
template <>
PairSums<double>::Recursions PairSums<double>::recursions();

extern template struct PairWeights<float>;
extern template struct PairWeights<double>;
extern template class PairSums<float>;
extern template class PairSums<double>;

}  // namespace fovea::sequence::internal
