// SPDX-License-Identifier: Apache-2.0
#include "fovea/regress/recursive_least_squares.h"

#include <Eigen/Cholesky>
#include <Eigen/Core>
#include <algorithm>
#include <cmath>

#include "fovea/base/error.h"

namespace fovea::regress {
namespace {

using Rows = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

Eigen::Index index_of(std::size_t i) { return static_cast<Eigen::Index>(i); }

}  // namespace

RecursiveLeastSquares::RecursiveLeastSquares(std::size_t features, std::size_t outputs, double ridge)
    : features_(features),
      outputs_(outputs),
      ridge_(ridge),
      inverse_(first_column(blocks(features))),
      weights_(blocks(outputs) * features) {
  FOVEA_CHECK(ridge > 0);
  for (std::size_t j = 0; j < features; ++j) inverse(j, j) = 1 / std::sqrt(ridge);
}

/// A + phi phi^T = L (I + w w^T) L^T with w = M phi. The rotations that make [I w] triangular also update M: they are
/// applied to its rows and to a row below, which begins as 0 and ends as the gain, up to its scale (Alexander and
/// Ghirnikar 1993, "A method for recursive least squares filtering based upon an inverse QR decomposition").
void RecursiveLeastSquares::add(std::span<const double> phi, std::span<const double> y) {
  FOVEA_CHECK(phi.size() == features_ && y.size() == outputs_);
  std::vector<double> below(features_), residual(outputs_);
  double length = 1;  // of (1, w_0 .. w_row)
  Block w = {};
  for (std::size_t row = 0; row < features_; ++row) {
    if (row % kBlock == 0) w = whitened(row / kBlock, phi);
    const double before = length, w_row = w[row % kBlock];
    length = std::sqrt(before * before + w_row * w_row);
    const double cosine = before / length, sine = w_row / length;
    for (std::size_t j = 0; j <= row; ++j) {
      double& entry = inverse(row, j);
      const double above = entry;
      entry = cosine * above - sine * below[j];
      below[j] = cosine * below[j] + sine * above;
    }
  }
  predict(phi, residual);
  for (std::size_t k = 0; k < outputs_; ++k) residual[k] = (y[k] - residual[k]) / length;
  for (std::size_t i = 0; i < features_; ++i)
    for (std::size_t k = 0; k < outputs_; ++k) weight(i, k) += below[i] * residual[k];
  ++examples_;
}

RecursiveLeastSquares::InSample RecursiveLeastSquares::fit(std::span<const double> phi, std::span<const double> y) {
  FOVEA_CHECK(examples_ == 0 && phi.size() * outputs_ == y.size() * features_);
  const std::size_t rows = phi.size() / features_;
  const auto n = index_of(rows), p = index_of(features_), k = index_of(outputs_);
  const Eigen::Map<const Rows> features(phi.data(), n, p), targets(y.data(), n, k);
  Eigen::MatrixXd a = Eigen::MatrixXd::Identity(p, p) * ridge_;
  a.selfadjointView<Eigen::Lower>().rankUpdate(features.transpose());
  const Eigen::LLT<Eigen::MatrixXd> cholesky(a);
  if (cholesky.info() == Eigen::Success) {
    const Rows weights = cholesky.solve(features.transpose() * targets);
    const Eigen::MatrixXd solved = cholesky.matrixL().solve(Eigen::MatrixXd::Identity(p, p));
    for (std::size_t j = 0; j < features_; ++j)
      for (std::size_t i = j; i < features_; ++i) inverse(i, j) = solved(index_of(i), index_of(j));
    for (std::size_t i = 0; i < features_; ++i)
      for (std::size_t j = 0; j < outputs_; ++j) weight(i, j) = weights(index_of(i), index_of(j));
    examples_ = rows;
  } else {  // the ridge is lost in the sums: use rotations, which form no sums
    for (std::size_t i = 0; i < rows; ++i)
      add(phi.subspan(i * features_, features_), y.subspan(i * outputs_, outputs_));
  }
  InSample result = {.predicted = std::vector<double>(y.size()), .leverage = std::vector<double>(rows)};
  for (std::size_t i = 0; i < rows; ++i) {
    const std::span<const double> row = phi.subspan(i * features_, features_);
    predict(row, std::span(result.predicted).subspan(i * outputs_, outputs_));
    result.leverage[i] = leverage(row);
  }
  return result;
}

void RecursiveLeastSquares::predict(std::span<const double> phi, std::span<double> y) const {
  for (std::size_t k = 0; k < outputs_; k += kBlock) {
    const Block sum = product(std::span(weights_).subspan(k / kBlock * features_, features_), phi);
    std::copy_n(sum.begin(), std::min(kBlock, outputs_ - k), y.begin() + static_cast<std::ptrdiff_t>(k));
  }
}

double RecursiveLeastSquares::leverage(std::span<const double> phi) const {
  double sum = 0;
  for (std::size_t block = 0; block < blocks(features_); ++block)
    for (const double value : whitened(block, phi)) sum += value * value;
  return sum;
}

/// One block of rows of w = M phi.
RecursiveLeastSquares::Block RecursiveLeastSquares::whitened(std::size_t block, std::span<const double> phi) const {
  const std::size_t columns = std::min(kBlock * (block + 1), features_);
  return product(std::span(inverse_).subspan(first_column(block), columns), phi);
}

RecursiveLeastSquares::Block RecursiveLeastSquares::product(std::span<const Block> columns,
                                                            std::span<const double> phi) {
  Block sum = {};
  for (std::size_t j = 0; j < columns.size(); ++j)
    for (std::size_t i = 0; i < kBlock; ++i) sum[i] += phi[j] * columns[j][i];
  return sum;
}

}  // namespace fovea::regress
