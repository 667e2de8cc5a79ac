// SPDX-License-Identifier: Apache-2.0
#include "fovea/regress/recursive_least_squares.h"

#include <cmath>

#include "fovea/base/error.h"

namespace fovea {

RecursiveLeastSquares::RecursiveLeastSquares(std::size_t features, std::size_t outputs, double ridge)
    : features_(features), outputs_(outputs), factor_(features * (features + 1) / 2), weights_(features * outputs) {
  FOVEA_CHECK(ridge > 0);
  for (std::size_t i = 0; i < features; ++i) factor(i, i) = std::sqrt(ridge);
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

void RecursiveLeastSquares::predict(std::span<const double> phi, std::span<double> y) const {
  for (double& value : y) value = 0;
  for (std::size_t i = 0; i < features_; ++i)
    for (std::size_t k = 0; k < outputs_; ++k) y[k] += phi[i] * weights_[i * outputs_ + k];
}

double RecursiveLeastSquares::leverage(std::span<const double> phi) const {
  std::vector<double> x(phi.begin(), phi.end());
  solve_lower(x);
  double sum = 0;
  for (const double value : x) sum += value * value;
  return sum;
}

/// x := L^-1 x.
void RecursiveLeastSquares::solve_lower(std::span<double> x) const {
  for (std::size_t i = 0; i < features_; ++i) {
    double sum = x[i];
    for (std::size_t j = 0; j < i; ++j) sum -= factor(i, j) * x[j];
    x[i] = sum / factor(i, i);
  }
}

/// x := L^-T x.
void RecursiveLeastSquares::solve_upper(std::span<double> x) const {
  for (std::size_t i = features_; i-- > 0;) {
    x[i] /= factor(i, i);
    for (std::size_t j = 0; j < i; ++j) x[j] -= factor(i, j) * x[i];
  }
}

/// L L^T := L L^T + x x^T, by rotations (Gill, Golub, Murray, Saunders 1974).
void RecursiveLeastSquares::update_factor(std::vector<double> x) {
  for (std::size_t j = 0; j < features_; ++j) {
    const double before = factor(j, j), after = std::hypot(before, x[j]);
    const double cosine = after / before, sine = x[j] / before;
    factor(j, j) = after;
    for (std::size_t i = j + 1; i < features_; ++i) {
      factor(i, j) = (factor(i, j) + sine * x[i]) / cosine;
      x[i] = cosine * x[i] - sine * factor(i, j);
    }
  }
}

}  // namespace fovea
