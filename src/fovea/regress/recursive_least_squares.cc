// SPDX-License-Identifier: Apache-2.0
#include "fovea/regress/recursive_least_squares.h"

#include <Eigen/Cholesky>
#include <Eigen/Core>
#include <algorithm>
#include <cmath>

#include "fovea/base/error.h"

namespace fovea {
namespace {

using Rows = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

Eigen::Index index_of(std::size_t i) { return static_cast<Eigen::Index>(i); }

}  // namespace

RecursiveLeastSquares::RecursiveLeastSquares(std::size_t features, std::size_t outputs, double ridge)
    : features_(features),
      outputs_(outputs),
      ridge_(ridge),
      inverse_(features),
      factor_(features * (features + 1) / 2),
      weights_(features * outputs) {
  FOVEA_CHECK(ridge > 0);
  for (std::size_t j = 0; j < features; ++j) {
    factor_[column(j)] = std::sqrt(ridge);
    inverse_[j] = 1 / factor_[column(j)];
  }
}

void RecursiveLeastSquares::add(std::span<const double> phi, std::span<const double> y) {
  FOVEA_CHECK(phi.size() == features_ && y.size() == outputs_);
  update_factor({phi.begin(), phi.end()});
  std::vector<double> gain(phi.begin(), phi.end());  // A^-1 phi, A with this example
  solve_lower(gain);
  solve_upper(gain);
  std::vector<double> residual(outputs_);
  predict(phi, residual);
  for (std::size_t k = 0; k < outputs_; ++k) residual[k] = y[k] - residual[k];
  for (std::size_t i = 0; i < features_; ++i)
    for (std::size_t k = 0; k < outputs_; ++k) weights_[i * outputs_ + k] += gain[i] * residual[k];
  ++examples_;
}

RecursiveLeastSquares::InSample RecursiveLeastSquares::fit(std::span<const double> phi, std::span<const double> y) {
  FOVEA_CHECK(examples_ == 0 && phi.size() * outputs_ == y.size() * features_);
  const std::size_t rows = phi.size() / features_;
  const auto n = index_of(rows), p = index_of(features_), k = index_of(outputs_);
  const Eigen::Map<const Rows> features(phi.data(), n, p), targets(y.data(), n, k);
  Eigen::Map<Rows> weights(weights_.data(), p, k);
  Eigen::MatrixXd a = Eigen::MatrixXd::Identity(p, p) * ridge_;
  a.selfadjointView<Eigen::Lower>().rankUpdate(features.transpose());
  const Eigen::LLT<Eigen::MatrixXd> cholesky(a);
  if (cholesky.info() == Eigen::Success) {
    a = cholesky.matrixL();
    weights = cholesky.solve(features.transpose() * targets);
    for (std::size_t j = 0; j < features_; ++j) {
      const auto below = a.col(index_of(j)).tail(p - index_of(j));
      std::ranges::copy(below, factor_.begin() + static_cast<std::ptrdiff_t>(column(j)));
      inverse_[j] = 1 / below[0];
    }
    examples_ = rows;
  } else {  // the ridge is lost in the sums: by rotations, which do not form them
    for (std::size_t i = 0; i < rows; ++i)
      add(phi.subspan(i * features_, features_), y.subspan(i * outputs_, outputs_));
    for (std::size_t j = 0; j < features_; ++j)
      for (std::size_t i = j; i < features_; ++i) a(index_of(i), index_of(j)) = factor_[column(j) + i - j];
  }
  InSample result = {.predicted = std::vector<double>(y.size()), .leverage = std::vector<double>(rows)};
  Eigen::Map<Rows>(result.predicted.data(), n, k) = features * weights;
  const Eigen::MatrixXd solved = a.triangularView<Eigen::Lower>().solve(features.transpose());
  Eigen::Map<Eigen::RowVectorXd>(result.leverage.data(), n) = solved.colwise().squaredNorm();
  return result;
}

void RecursiveLeastSquares::predict(std::span<const double> phi, std::span<double> y) const {
  for (double& value : y) value = 0;
  for (std::size_t i = 0; i < features_; ++i)
    for (std::size_t k = 0; k < outputs_; ++k) y[k] += phi[i] * weights_[i * outputs_ + k];
}

double RecursiveLeastSquares::leverage(std::span<double> phi) const {
  solve_lower(phi);
  double sum = 0;
  for (const double value : phi) sum += value * value;
  return sum;
}

/// x := L^-1 x, column by column: the inner loops are independent sums.
void RecursiveLeastSquares::solve_lower(std::span<double> x) const {
  const double* entry = factor_.data();
  for (std::size_t j = 0; j < features_; ++j) {
    const double solved = x[j] * inverse_[j];
    x[j] = solved;
    ++entry;
    for (std::size_t i = j + 1; i < features_; ++i) x[i] -= solved * *entry++;
  }
}

/// x := L^-T x.
void RecursiveLeastSquares::solve_upper(std::span<double> x) const {
  for (std::size_t j = features_; j-- > 0;) {
    const double* entry = factor_.data() + column(j);
    double sum = x[j];
    for (std::size_t i = j + 1; i < features_; ++i) sum -= entry[i - j] * x[i];
    x[j] = sum * inverse_[j];
  }
}

/// L L^T := L L^T + x x^T, by rotations (Gill, Golub, Murray, Saunders 1974).
void RecursiveLeastSquares::update_factor(std::vector<double> x) {
  double* entry = factor_.data();
  for (std::size_t j = 0; j < features_; ++j) {
    const double before = *entry, after = std::sqrt(before * before + x[j] * x[j]);
    const double cosine = after / before, sine = x[j] / before;
    *entry++ = after;
    inverse_[j] = 1 / after;
    for (std::size_t i = j + 1; i < features_; ++i, ++entry) {
      *entry = (*entry + sine * x[i]) / cosine;
      x[i] = cosine * x[i] - sine * *entry;
    }
  }
}

}  // namespace fovea
