// SPDX-License-Identifier: Apache-2.0
/// Internal to this module: exposes Eigen.
#pragma once

#include "fovea/gp/covariance/covariance.h"
#include "fovea/gp/matrix/dense.h"

namespace fovea::gp {

/// Inducing points Z, whitened: with K_ZZ = L L^T, latent values at the points are u = L v, where v ~ N(0, I) a priori,
/// and a function at x is
///   f(x) = a(x)^T v + r(x),   a(x) = L^{-1} k(Z, x),   cov(r(x), r(x')) = k(x, x') - a(x)^T a(x'),
/// which is p(f | u) of equation (14).
class InducingPoints {
 public:
  /// Throws InputError if K_ZZ is not positive definite even with the largest jitter.
  InducingPoints(Covariance covariance, SparseRows points);

  std::size_t size() const { return points_.row_count(); }
  const Covariance& covariance() const { return covariance_; }
  const SparseRows& points() const { return points_; }
  const RowMatrix& factor() const { return factor_; }  ///< L
  /// Number added to the diagonal of K_ZZ: the least of 0, 1e-10, 1e-9 ... 1e-4 times its mean that makes K_ZZ positive
  /// definite.
  double jitter() const { return jitter_; }

  /// Row r is a(x_r); rows x M.
  RowMatrix project(const SparseRows& rows) const;
  /// Row j is L^{-T} m_j: with it k(x, Z) gives a(x)^T m_j. `means`: |V| x M.
  RowMatrix coefficients(const RowMatrix& means) const;
  /// Covariances of r at the rows, of which `projected` is a(x); rows x rows.
  RowMatrix residual(const SparseRows& rows, const Eigen::Ref<const RowMatrix>& projected) const;

 private:
  void factorize();

  Covariance covariance_;
  SparseRows points_;
  RowMatrix factor_;  // L
  double jitter_ = 0;
};

}  // namespace fovea::gp
