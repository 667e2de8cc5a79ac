// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <vector>

#include "fovea/base/aligned.h"
#include "fovea/gp/matrix/matrix.h"
#include "fovea/sequence/exact/pair_sums.h"

namespace fovea::gp {

/// Forward-backward over a chain in the linear domain (sequence/exact/pair_sums.h), with the weights
/// exp(f_tj - max_t) of labels and exp(pairwise(i, j) - max) of pairs. Rows have |V| numbers and zeros up to a multiple
/// of
/// 8. Vectors keep their memory from one chain to the next: use one of these per thread.
struct ChainSums {
  std::size_t length = 0, labels = 0, stride = 0;
  double log_z = 0;  ///< NaN if a score is NaN, or all of a row are -infinity
  sequence::internal::PairWeights<double> pair_weights;
  sequence::internal::PairSums<double> sums;
  AlignedVector<double> packed;     ///< exponents, without gaps
  AlignedVector<double> marginals;  ///< [t] p(y_t = .), by the backward pass
  std::vector<double> pairs;        ///< [i] expected number of pairs (i, .), by the backward pass if requested
};

/// Returns false, and does nothing else, if `pairwise` is not finite, or spans so large a range that the linear domain
/// is not safe. `unary`: T x |V|, T >= 1; `pairwise`: |V| x |V|. O(T |V|^2).
bool sum_forward(Matrix<const double> unary, Matrix<const double> pairwise, ChainSums& sums);

/// Must follow sum_forward, once. Marginals and pairs are NaN if log_z is.
void sum_backward(bool wants_pairs, ChainSums& sums);

}  // namespace fovea::gp
