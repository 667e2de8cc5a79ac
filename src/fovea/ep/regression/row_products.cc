// SPDX-License-Identifier: Apache-2.0
#include "fovea/ep/regression/row_products.h"

#include <cblas.h>

namespace fovea::ep {

// BLIS has kernels for the vector units at hand; Eigen, compiled for any machine, takes two to four times as long. Rows
// one after another are the columns of a matrix in column order.

void add_weighted_products(const Rows& rows, const Eigen::Ref<const Eigen::VectorXd>& weights, RowMatrix& scratch,
                           Eigen::MatrixXd& sum) {
  scratch = weights.cwiseSqrt().asDiagonal() * rows;
  const int d = static_cast<int>(rows.cols());
  cblas_dsyrk(CblasColMajor, CblasLower, CblasNoTrans, d, static_cast<int>(rows.rows()), 1, scratch.data(), d, 1,
              sum.data(), d);
}

void multiply(const Rows& rows, const Eigen::VectorXd& vector, Eigen::Ref<Eigen::VectorXd> products) {
  const int d = static_cast<int>(rows.cols());
  cblas_dgemv(CblasRowMajor, CblasNoTrans, static_cast<int>(rows.rows()), d, 1, rows.data(), d, vector.data(), 1, 0,
              products.data(), 1);
}

void add_products(const Rows& rows, const Eigen::Ref<const Eigen::VectorXd>& weights, Eigen::VectorXd& sum) {
  const int d = static_cast<int>(rows.cols());
  cblas_dgemv(CblasRowMajor, CblasTrans, static_cast<int>(rows.rows()), d, 1, rows.data(), d, weights.data(), 1, 1,
              sum.data(), 1);
}

void squared_norms(const Rows& rows, const Eigen::MatrixXd& factor, RowMatrix& scratch,
                   Eigen::Ref<Eigen::VectorXd> norms) {
  scratch = rows;
  const int d = static_cast<int>(rows.cols());
  cblas_dtrsm(CblasColMajor, CblasLeft, CblasLower, CblasNoTrans, CblasNonUnit, d, static_cast<int>(rows.rows()), 1,
              factor.data(), d, scratch.data(), d);
  norms = scratch.rowwise().squaredNorm();
}

}  // namespace fovea::ep
