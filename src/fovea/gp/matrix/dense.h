// SPDX-License-Identifier: Apache-2.0
/// Dense linear algebra, internal to this module.
#pragma once

#include <Eigen/Cholesky>
#include <Eigen/Core>
#include <cstddef>

#include "fovea/gp/matrix/matrix.h"

namespace fovea::gp {

using Index = Eigen::Index;
using RowMatrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
using ColumnMatrix = Eigen::MatrixXd;
using Vector = Eigen::VectorXd;

/// Large matrices that are multiplied with themselves in every step are in single precision: half the time and the
/// memory. Sums over them that must be exact are in double precision.
using LargeRows = Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
using LargeColumns = Eigen::MatrixXf;

inline Index index(std::size_t i) { return static_cast<Index>(i); }
inline std::size_t size(Index i) { return static_cast<std::size_t>(i); }

/// The lower triangle of `sum` += weight rows^T rows: this takes most of the time of a fit.
void add_products(const Eigen::Ref<const LargeRows>& rows, LargeColumns& sum, float weight = 1);
/// product <- a b^T.
void multiply_transposed(const Eigen::Ref<const LargeColumns>& a, const Eigen::Ref<const LargeColumns>& b,
                         LargeColumns& product);
/// product <- a b.
void multiply(const Eigen::Ref<const LargeColumns>& a, const Eigen::Ref<const LargeColumns>& b, LargeColumns& product);
/// columns <- factor^{-1} columns, with a lower triangular factor.
void solve_lower(const LargeColumns& factor, LargeColumns& columns);
/// Replaces the lower triangle by its Cholesky factor; returns false if the matrix is not positive definite.
bool factorize(LargeColumns& matrix);

/// rows * means^T, in double: rows x |V|.
RowMatrix project(const Eigen::Ref<const LargeRows>& rows, const RowMatrix& means);
/// sums^T * rows, in double: |V| x M.
RowMatrix back_project(const Eigen::Ref<const LargeRows>& rows, const RowMatrix& sums);

/// Turns slopes by L, lower triangular, into slopes by the symmetric L L^T, which are themselves symmetric (Murray
/// (2016), "Differentiation of the Cholesky decomposition", equation 10). Nothing above the diagonal is read.
template <class M>
M covariance_slopes(const M& factor, const M& factor_slopes) {
  M products = factor.template triangularView<Eigen::Lower>().transpose() *
               M(factor_slopes.template triangularView<Eigen::Lower>());
  products.template triangularView<Eigen::StrictlyUpper>().setZero();
  products.diagonal() /= 2;
  M result = (products + products.transpose()) / 2;
  const auto upper = factor.template triangularView<Eigen::Lower>().transpose();
  upper.solveInPlace(result);
  upper.solveInPlace(result.transpose());
  return result;
}

inline Matrix<double> view(RowMatrix& m) { return {m.data(), size(m.rows()), size(m.cols())}; }

}  // namespace fovea::gp
