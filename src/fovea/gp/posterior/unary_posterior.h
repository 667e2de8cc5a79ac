// SPDX-License-Identifier: Apache-2.0
/// For the sources of this module alone: shows Eigen.
#pragma once

#include <vector>

#include "fovea/gp/dense.h"

namespace fovea::gp {

/// What each item says of the latent functions there: a Gaussian factor exp(linear f - precision f^2 / 2) for each label
/// (Khan, Lin (2017), "Conjugate-computation variational inference").
struct Sites {
  RowMatrix precision;  ///< items x |V|, >= 0
  RowMatrix linear;     ///< items x |V|
};

/// q(v_j) = N(mean_j, (F_j F_j^T)^{-1}) of the whitened inducing variables of each label j; independent across labels.
class UnaryPosterior {
 public:
  UnaryPosterior() = default;
  /// The prior: N(0, I).
  UnaryPosterior(std::size_t labels, std::size_t inducing_points);
  /// Prior times sites: F_j F_j^T = I + sum_t precision_tj a_t a_t^T, mean_j = (F_j F_j^T)^{-1} sum_t linear_tj a_t.
  /// `projected`: items x M. Items whose precision is below kLeastPrecision say nothing of the covariance: a site may be
  /// any factor, and those cost as much as the others. O(items * M^2 * |V|).
  UnaryPosterior(const RowMatrix& projected, const Sites& sites, int threads);

  /// As it was stored: |V| x M, and |V| matrices M x M.
  UnaryPosterior(RowMatrix means, std::vector<ColumnMatrix> factors)
      : means_(std::move(means)), factors_(std::move(factors)) {}

  static constexpr double kLeastPrecision = 1e-6;

  std::size_t labels() const { return factors_.size(); }
  std::size_t inducing_points() const { return size(means_.cols()); }
  const RowMatrix& means() const { return means_; }                          ///< |V| x M
  const ColumnMatrix& factor(std::size_t label) const { return factors_[label]; }  ///< F_j, lower; M x M

  /// KL(q || prior), summed over labels; nats.
  double divergence() const { return divergence_; }

 private:
  void set_label(Index label, ColumnMatrix precision, const Vector& linear);

  RowMatrix means_;
  std::vector<ColumnMatrix> factors_;
  std::vector<double> divergences_;
  double divergence_ = 0;
};

}  // namespace fovea::gp
