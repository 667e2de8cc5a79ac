// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "fovea/gp/likelihood/likelihood.h"

namespace fovea::gp {

/// The linear chain, summed over all labelings by forward-backward:
///   log p(y | f) = sum_t f_{t, y_t} + sum_t pairwise(y_t, y_{t+1}) - log Z.
/// Accepts any finite scores. O(T |V|^2).
class ChainLikelihood : public Likelihood {
 public:
  double log_density(Matrix<const double> unary, Matrix<const double> pairwise, Labels labels) const override;
  bool has_gradients() const override { return true; }
  bool has_curvature() const override { return true; }
  double gradients(Matrix<const double> unary, Matrix<const double> pairwise, Labels labels,
                   const Gradients& out) const override;
  void marginals(Matrix<const double> unary, Matrix<const double> pairwise, Matrix<double> out) const override;
};

/// Piecewise pseudo-likelihood of the linear chain (Sutton, McCallum (2007), "Piecewise pseudolikelihood for efficient
/// training of conditional random fields"): every factor by itself, each of its labels given the other one. With the
/// factor of items t - 1 and t scoring f_{t-1}(y_{t-1}) + f_t(y_t) + pairwise(y_{t-1}, y_t),
///   log p = sum_t log softmax_j(f_tj + pairwise(y_{t-1}, j))[y_t]
///           + sum_{t > 0} log softmax_i(f_{t-1,i} + pairwise(i, y_t))[y_{t-1}].
/// O(T |V|), without a sum over labelings. Marginals, for predictions, are those of the chain.
class PseudoLikelihood : public Likelihood {
 public:
  double log_density(Matrix<const double> unary, Matrix<const double> pairwise, Labels labels) const override;
  bool has_gradients() const override { return true; }
  bool has_curvature() const override { return true; }
  double gradients(Matrix<const double> unary, Matrix<const double> pairwise, Labels labels,
                   const Gradients& out) const override;
  void marginals(Matrix<const double> unary, Matrix<const double> pairwise, Matrix<double> out) const override;
};

}  // namespace fovea::gp
