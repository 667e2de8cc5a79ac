// SPDX-License-Identifier: Apache-2.0
#include "fovea/gp/inducing/inducing_points.h"

#include <fmt/format.h>

#include "fovea/base/error.h"

namespace fovea::gp {
namespace {

constexpr double kFirstJitter = 1e-10, kMostJitter = 1e-4;

}  // namespace

InducingPoints::InducingPoints(Covariance covariance, SparseRows points)
    : covariance_(std::move(covariance)), points_(std::move(points)) {
  factorize();
}

void InducingPoints::factorize() {
  const Index m = index(size());
  RowMatrix covariances(m, m);
  covariance_.cross(points_, points_, view(covariances));
  const double mean = m > 0 ? covariances.diagonal().mean() : 1;
  if (!covariances.allFinite())
    throw InputError({}, fmt::format("the covariance '{}' is not finite at two inducing points", covariance_.text()),
                     "Scale the features, or give another covariance");
  for (double jitter = 0; jitter <= kMostJitter * 1.01; jitter = jitter == 0 ? kFirstJitter : 10 * jitter) {
    jitter_ = jitter * mean;
    RowMatrix with_jitter = covariances;
    with_jitter.diagonal().array() += jitter_;
    const Eigen::LLT<RowMatrix> decomposed(with_jitter);
    if (decomposed.info() != Eigen::Success) continue;
    factor_ = decomposed.matrixL();
    return;
  }
  throw InputError({},
                   fmt::format("the covariance '{}' of {} inducing points is not positive definite, even with {:.3g} "
                               "added to its diagonal",
                               covariance_.text(), m, jitter_),
                   "Choose points by pivoted-cholesky, fewer points, or another covariance");
}

RowMatrix InducingPoints::project(const SparseRows& rows) const {
  RowMatrix projected(index(rows.row_count()), index(size()));
  covariance_.cross(rows, points_, view(projected));
  factor_.triangularView<Eigen::Lower>().solveInPlace(projected.transpose());
  return projected;
}

RowMatrix InducingPoints::coefficients(const RowMatrix& means) const {
  ColumnMatrix columns = means.transpose();
  factor_.triangularView<Eigen::Lower>().transpose().solveInPlace(columns);
  return columns.transpose();
}

RowMatrix InducingPoints::residual(const SparseRows& rows, const Eigen::Ref<const RowMatrix>& projected) const {
  const Index n = index(rows.row_count());
  RowMatrix covariances(n, n);
  covariance_.cross(rows, rows, view(covariances));
  covariances.noalias() -= projected * projected.transpose();
  return covariances;
}

}  // namespace fovea::gp
