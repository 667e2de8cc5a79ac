// SPDX-License-Identifier: Apache-2.0
#include "fovea/ep/density/cholesky.h"

#include <cblas.h>

#include <Eigen/Cholesky>
#include <algorithm>

namespace fovea::ep {
namespace {

constexpr int kPanel = 32;  // columns; matrices up to this size are left to Eigen, whose calls cost less

int dimension(Eigen::Index n) { return static_cast<int>(n); }

}  // namespace

bool factorize(Eigen::Ref<SquareMatrix> matrix) {
  const int n = dimension(matrix.rows()), stride = dimension(matrix.outerStride());
  for (int k = 0; k < n; k += kPanel) {
    const int width = std::min(kPanel, n - k), below = n - k - width;
    auto block = matrix.block(k, k, width, width);
    const Eigen::LLT<SquareMatrix> decomposed(block);
    if (decomposed.info() != Eigen::Success) return false;
    block = decomposed.matrixL();
    if (below == 0) break;
    double* panel = &matrix(k + width, k);
    cblas_dtrsm(CblasRowMajor, CblasRight, CblasLower, CblasTrans, CblasNonUnit, below, width, 1, &matrix(k, k), stride,
                panel, stride);
    cblas_dsyrk(CblasRowMajor, CblasLower, CblasNoTrans, below, width, -1, panel, stride, 1,
                &matrix(k + width, k + width), stride);
  }
  matrix.triangularView<Eigen::StrictlyUpper>().setZero();
  return true;
}

SquareMatrix inverse_of_lower(Eigen::Ref<const SquareMatrix> lower) {
  const int n = dimension(lower.rows()), stride = dimension(lower.outerStride());
  if (n <= kPanel) return lower.triangularView<Eigen::Lower>().solve(SquareMatrix::Identity(n, n));
  SquareMatrix inverse = SquareMatrix::Zero(n, n);
  // By panels of columns: those of the inverse begin at the diagonal.
  for (int k = 0; k < n; k += kPanel) {
    const int width = std::min(kPanel, n - k);
    inverse.block(k, k, width, width).setIdentity();
    cblas_dtrsm(CblasRowMajor, CblasLeft, CblasLower, CblasNoTrans, CblasNonUnit, n - k, width, 1,
                lower.data() + static_cast<Eigen::Index>(k) * stride + k, stride, &inverse(k, k), n);
  }
  return inverse;
}

SquareMatrix lower_of_square(const SquareMatrix& a) {
  const int n = dimension(a.rows());
  SquareMatrix square = SquareMatrix::Zero(n, n);
  if (n <= kPanel) {
    square.triangularView<Eigen::Lower>() = a.transpose() * a;
    return square;
  }
  for (int k = 0; k < n; k += kPanel) {  // rows of a, which end at the diagonal
    const int width = std::min(kPanel, n - k);
    cblas_dsyrk(CblasRowMajor, CblasLower, CblasTrans, k + width, width, 1, &a(k, 0), n, 1, square.data(), n);
  }
  return square;
}

}  // namespace fovea::ep
