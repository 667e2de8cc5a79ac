// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

#include "fovea/base/aligned.h"
#include "fovea/gp/matrix/matrix.h"

namespace fovea::gp {

/// Forward-backward over a chain in the linear domain, rescaled at every item:
///   e_t(j) = exp(f_tj - max_t), m(i, j) = exp(pairwise(i, j) - max),
///   a_t = e_t * (a_{t-1} m) / c_{t-1} with c_t = sum of a_t,  b_{t-1} = m w_t with w_t = e_t * b_t / c_{t-1},
///   b_{T-1} = 1 / c_{T-1},  p(y_t = j) = a_t(j) b_t(j),
///   sum_t p(y_{t-1} = i, y_t = j) = m(i, j) sum_t a_{t-1}(i) w_t(j),  log Z = sum_t (max_t + log c_t) + (T - 1) max.
/// Dividing by the previous sum, not by a_t's own, spares the recursion a wait. Rows have |V| numbers and zeros up to a
/// multiple of 8. Vectors keep their memory from one chain to the next: use one of these per thread.
struct ChainSums {
  std::size_t length = 0, labels = 0, stride = 0;
  double log_z = 0;                       ///< NaN if a score is NaN, or all of a row are -infinity
  AlignedVector<double> pair_weights;     ///< [i][j] m(i, j)
  AlignedVector<double> pair_transposed;  ///< [j][i] m(i, j)
  AlignedVector<double> weights;          ///< [t] e_t; after the backward pass w_t
  AlignedVector<double> forward;          ///< [t] a_t
  AlignedVector<double> scales;           ///< [t] c_t, and ones up to a multiple of 8
  AlignedVector<double> packed;           ///< exponents, without gaps
  AlignedVector<double> marginals;        ///< [t] p(y_t = .), by the backward pass
  AlignedVector<double> pairs;            ///< [i] expected number of pairs (i, .), by the backward pass if requested
};

/// Returns false, and does nothing else, if `pairwise` is not finite, or spans so large a range that the linear domain
/// is not safe. `unary`: T x |V|, T >= 1; `pairwise`: |V| x |V|. O(T |V|^2).
bool sum_forward(Matrix<const double> unary, Matrix<const double> pairwise, ChainSums& sums);

/// Must follow sum_forward, once.
void sum_backward(bool wants_pairs, ChainSums& sums);

}  // namespace fovea::gp
