// SPDX-License-Identifier: Apache-2.0
#include "fovea/gp/dense.h"

#include <cblas.h>

namespace fovea::gp {

// By BLIS, which has kernels for the vector units at hand; Eigen, compiled for any machine, takes twice as long.

void add_products(const Eigen::Ref<const RowMatrix>& rows, ColumnMatrix& sum) {
  if (rows.rows() == 0) return;
  const int m = static_cast<int>(rows.cols());
  cblas_dsyrk(CblasColMajor, CblasLower, CblasNoTrans, m, static_cast<int>(rows.rows()), 1, rows.data(), m, 1,
              sum.data(), m);
}

void solve_lower(const ColumnMatrix& factor, ColumnMatrix& columns) {
  const int m = static_cast<int>(factor.rows());
  cblas_dtrsm(CblasColMajor, CblasLeft, CblasLower, CblasNoTrans, CblasNonUnit, m, static_cast<int>(columns.cols()), 1,
              factor.data(), m, columns.data(), m);
}

}  // namespace fovea::gp
