// SPDX-License-Identifier: Apache-2.0
#include "fovea/ep/recall/local_kriging.h"

#include <Eigen/Cholesky>
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>

namespace fovea::ep {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

/// Lengths of the kernel, in standard deviations of the asked points.
constexpr std::array kLengths = {1., 2., 4., 8., 16.};
/// Added to the kernel of a point with itself, so that points may lie as close together as they like.
constexpr double kNugget = 1e-10;
/// Values beyond the coefficients of the plane that a fit needs.
constexpr Index kSpare = 3;

/// The largest number of known points that are used: four times the coefficients of a quadratic.
Index most_neighbours(Index dimensions) { return 2 * (dimensions + 1) * (dimensions + 2); }

}  // namespace

LocalKriging::LocalKriging(const MatrixXd& asked) : centre_(asked.rowwise().mean()) {
  const MatrixXd gaps = asked.colwise() - centre_;
  MatrixXd covariance = gaps * gaps.transpose() / static_cast<double>(asked.cols());
  for (Index i = 0; i < covariance.rows(); ++i)
    covariance(i, i) += 1e-12 * covariance(i, i) + std::numeric_limits<double>::min();
  scale_ = covariance.llt().matrixL();
  asked_ = scale_.triangularView<Eigen::Lower>().solve(gaps);
}

double LocalKriging::fit(std::span<const std::vector<double>> points, std::span<const double> values, double length) {
  const Index dimensions = asked_.rows();
  best_ = Fit();
  if (points.empty()) return 0;
  MatrixXd all(dimensions, static_cast<Index>(points.size()));
  for (std::size_t k = 0; k < points.size(); ++k)
    all.col(static_cast<Index>(k)) = Eigen::Map<const VectorXd>(points[k].data(), dimensions) - centre_;
  scale_.triangularView<Eigen::Lower>().solveInPlace(all);
  const VectorXd distances = all.colwise().squaredNorm();
  std::vector<Index> nearest(points.size());
  std::iota(nearest.begin(), nearest.end(), Index{0});
  const auto count = std::min(static_cast<Index>(points.size()), most_neighbours(dimensions));
  std::ranges::nth_element(nearest, nearest.begin() + std::max(Index{0}, count - 1), {},
                           [&](Index k) { return std::pair(distances[k], k); });
  nearest.resize(static_cast<std::size_t>(count));
  std::ranges::sort(nearest);
  known_ = all(Eigen::all, nearest);
  VectorXd chosen(count);
  for (Index k = 0; k < count; ++k) chosen[k] = values[static_cast<std::size_t>(nearest[static_cast<std::size_t>(k)])];
  if (count < dimensions + 1 + kSpare) return 0;
  const auto consider = [&](double next_length) {
    Fit next = fit_of(next_length, chosen);
    if (next.log_likelihood > best_.log_likelihood) best_ = std::move(next);
  };
  if (length > 0) consider(length);
  if (best_.length == 0)
    for (const double next_length : kLengths) consider(next_length);
  return best_.length;
}

LocalKriging::Fit LocalKriging::fit_of(double length, const VectorXd& values) const {
  const Index count = known_.cols(), dimensions = known_.rows(), spare = count - dimensions - 1;
  Fit fit;
  fit.length = length;
  MatrixXd kernel(count, count);
  for (Index j = 0; j < count; ++j) {
    kernel.col(j) = (known_.colwise() - known_.col(j)).colwise().squaredNorm().transpose();
    kernel.col(j) = (kernel.col(j).array() * (-.5 / (length * length))).exp();
    kernel(j, j) += kNugget;
  }
  const Eigen::LLT<MatrixXd> cholesky(kernel);
  if (cholesky.info() != Eigen::Success) return fit;
  fit.root = cholesky.matrixL();
  MatrixXd plane(count, dimensions + 1);
  plane << VectorXd::Ones(count), known_.transpose();
  fit.trend = fit.root.triangularView<Eigen::Lower>().solve(plane);
  const Eigen::LLT<MatrixXd> information(fit.trend.transpose() * fit.trend);
  if (information.info() != Eigen::Success) return fit;
  fit.information_root = information.matrixL();
  const VectorXd whitened = fit.root.triangularView<Eigen::Lower>().solve(values);
  fit.coefficients = information.solve(fit.trend.transpose() * whitened);
  fit.residual = whitened - fit.trend * fit.coefficients;
  fit.variance = fit.residual.squaredNorm() / static_cast<double>(spare);
  // The likelihood of what the plane leaves (their equation 2.45), at the likeliest variance.
  const double log_variance = std::log(std::max(fit.variance, std::numeric_limits<double>::min()));
  fit.log_likelihood = -.5 * static_cast<double>(spare) * log_variance - fit.root.diagonal().array().log().sum() -
                       fit.information_root.diagonal().array().log().sum();
  if (std::isnan(fit.log_likelihood)) fit.log_likelihood = -std::numeric_limits<double>::infinity();
  return fit;
}

std::vector<LocalKriging::Value> LocalKriging::predict() const {
  std::vector<Value> result(static_cast<std::size_t>(asked_.cols()),
                            {.mean = 0, .deviation = std::numeric_limits<double>::infinity()});
  if (best_.root.size() == 0) return result;
  for (Index k = 0; k < asked_.cols(); ++k) {
    VectorXd kernel = (known_.colwise() - asked_.col(k)).colwise().squaredNorm().transpose();
    kernel = (kernel.array() * (-.5 / (best_.length * best_.length))).exp();
    best_.root.triangularView<Eigen::Lower>().solveInPlace(kernel);
    VectorXd plane(asked_.rows() + 1);
    plane << 1, asked_.col(k);
    VectorXd unexplained = plane - best_.trend.transpose() * kernel;
    best_.information_root.triangularView<Eigen::Lower>().solveInPlace(unexplained);
    const double share = std::max(kNugget, 1 - kernel.squaredNorm()) + unexplained.squaredNorm();
    const Value value = {.mean = plane.dot(best_.coefficients) + kernel.dot(best_.residual),
                         .deviation = std::sqrt(best_.variance * share)};
    if (std::isfinite(value.mean) && std::isfinite(value.deviation)) result[static_cast<std::size_t>(k)] = value;
  }
  return result;
}

}  // namespace fovea::ep
