// SPDX-License-Identifier: Apache-2.0
#include "fovea/gp/matrix/dense.h"

#include <cblas.h>

#include <algorithm>

namespace fovea::gp {

// Uses BLIS, which has kernels for the vector units at hand; Eigen, compiled for any machine, takes two to four times
// as long.

namespace {

/// Number of columns that are factorised before the rest of the matrix is updated.
constexpr int kPanel = 96;

/// Number of rows converted to doubles at a time.
constexpr Index kRowsAtOnce = 256;

int dimension(Index i) { return static_cast<int>(i); }

}  // namespace

void add_products(const Eigen::Ref<const LargeRows>& rows, LargeColumns& sum, float weight) {
  if (rows.rows() == 0) return;
  const int m = dimension(rows.cols());
  cblas_ssyrk(CblasColMajor, CblasLower, CblasNoTrans, m, dimension(rows.rows()), weight, rows.data(), m, 1, sum.data(),
              m);
}

void multiply_transposed(const Eigen::Ref<const LargeColumns>& a, const Eigen::Ref<const LargeColumns>& b,
                         LargeColumns& product) {
  product.resize(a.rows(), b.rows());
  if (product.size() == 0) return;
  cblas_sgemm(CblasColMajor, CblasNoTrans, CblasTrans, dimension(a.rows()), dimension(b.rows()), dimension(a.cols()), 1,
              a.data(), dimension(a.outerStride()), b.data(), dimension(b.outerStride()), 0, product.data(),
              dimension(product.rows()));
}

void multiply(const Eigen::Ref<const LargeColumns>& a, const Eigen::Ref<const LargeColumns>& b, LargeColumns& product) {
  product.resize(a.rows(), b.cols());
  if (product.size() == 0) return;
  cblas_sgemm(CblasColMajor, CblasNoTrans, CblasNoTrans, dimension(a.rows()), dimension(b.cols()), dimension(a.cols()),
              1, a.data(), dimension(a.outerStride()), b.data(), dimension(b.outerStride()), 0, product.data(),
              dimension(product.rows()));
}

void solve_lower(const LargeColumns& factor, LargeColumns& columns) {
  const int m = dimension(factor.rows());
  cblas_strsm(CblasColMajor, CblasLeft, CblasLower, CblasNoTrans, CblasNonUnit, m, dimension(columns.cols()), 1,
              factor.data(), m, columns.data(), m);
}

bool factorize(LargeColumns& matrix) {
  const int m = dimension(matrix.rows());
  for (int k = 0; k < m; k += kPanel) {
    const int width = std::min(kPanel, m - k), below = m - k - width;
    auto block = matrix.block(k, k, width, width);
    const Eigen::LLT<LargeColumns> decomposed(block);
    if (decomposed.info() != Eigen::Success) return false;
    block = decomposed.matrixL();
    if (below == 0) break;
    float* panel = &matrix(k + width, k);
    cblas_strsm(CblasColMajor, CblasRight, CblasLower, CblasTrans, CblasNonUnit, below, width, 1, &matrix(k, k), m,
                panel, m);
    cblas_ssyrk(CblasColMajor, CblasLower, CblasNoTrans, below, width, -1, panel, m, 1, &matrix(k + width, k + width),
                m);
  }
  matrix.triangularView<Eigen::StrictlyUpper>().setZero();
  return true;
}

RowMatrix project(const Eigen::Ref<const LargeRows>& rows, const RowMatrix& means) {
  RowMatrix result(rows.rows(), means.rows());
  for (Index begin = 0; begin < rows.rows(); begin += kRowsAtOnce) {
    const Index count = std::min(kRowsAtOnce, rows.rows() - begin);
    result.middleRows(begin, count).noalias() = rows.middleRows(begin, count).cast<double>() * means.transpose();
  }
  return result;
}

RowMatrix back_project(const Eigen::Ref<const LargeRows>& rows, const RowMatrix& sums) {
  RowMatrix result = RowMatrix::Zero(sums.cols(), rows.cols());
  for (Index begin = 0; begin < rows.rows(); begin += kRowsAtOnce) {
    const Index count = std::min(kRowsAtOnce, rows.rows() - begin);
    result.noalias() += sums.middleRows(begin, count).transpose() * rows.middleRows(begin, count).cast<double>();
  }
  return result;
}

}  // namespace fovea::gp
