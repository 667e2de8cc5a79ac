// SPDX-License-Identifier: Apache-2.0
#include "fovea/ep/family/multivariate_gaussian.h"

#include <Eigen/Cholesky>
#include <Eigen/Core>
#include <cmath>
#include <numbers>

namespace fovea::ep {
namespace {

using Matrix = Eigen::MatrixXd;
using Vector = Eigen::VectorXd;

Matrix precision_matrix(const MultivariateGaussian& message) {
  const auto d = static_cast<Eigen::Index>(message.dimension());
  Matrix precision(d, d);
  for (Eigen::Index i = 0; i < d; ++i)
    for (Eigen::Index j = 0; j <= i; ++j)
      precision(i, j) = precision(j, i) = message.precision(static_cast<std::size_t>(i), static_cast<std::size_t>(j));
  return precision;
}

Vector precision_mean_vector(const MultivariateGaussian& message) {
  return Eigen::Map<const Vector>(message.natural.data(), static_cast<Eigen::Index>(message.dimension()));
}

MultivariateGaussian from_natural(const Vector& precision_mean, const Matrix& precision) {
  MultivariateGaussian message;
  message.natural.assign(precision_mean.begin(), precision_mean.end());
  for (Eigen::Index i = 0; i < precision.rows(); ++i)
    for (Eigen::Index j = 0; j <= i; ++j) message.natural.push_back(precision(i, j));
  return message;
}

MultivariateGaussian from_moments(const Vector& mean, const Matrix& covariance) {
  const Matrix precision = covariance.llt().solve(Matrix::Identity(covariance.rows(), covariance.cols()));
  return from_natural(precision * mean, (precision + precision.transpose()) / 2);
}

}  // namespace

MultivariateGaussian MultivariateGaussian::from_mean_covariance(std::span<const double> mean,
                                                                std::span<const double> covariance) {
  FOVEA_CHECK(covariance.size() == mean.size() * mean.size());
  const auto d = static_cast<Eigen::Index>(mean.size());
  return from_moments(Eigen::Map<const Vector>(mean.data(), d), Eigen::Map<const Matrix>(covariance.data(), d, d));
}

MultivariateGaussian MultivariateGaussian::from_expected_statistics(const Parameters& statistics) {
  const MultivariateGaussian seconds{{statistics}};  // -E[x_i^2] / 2, -E[x_i x_j]
  const Vector mean = precision_mean_vector(seconds);
  Matrix covariance = -precision_matrix(seconds);
  covariance.diagonal() *= 2;
  return from_moments(mean, covariance - mean * mean.transpose());
}

std::size_t MultivariateGaussian::dimension() const {
  const auto count = static_cast<double>(natural.size());
  return static_cast<std::size_t>(std::lround((std::sqrt(9 + 8 * count) - 3) / 2));
}

std::vector<double> MultivariateGaussian::mean() const {
  const Vector mean = precision_matrix(*this).llt().solve(precision_mean_vector(*this));
  return {mean.begin(), mean.end()};
}

std::vector<double> MultivariateGaussian::covariance() const {
  const Matrix precision = precision_matrix(*this);
  const Matrix covariance = precision.llt().solve(Matrix::Identity(precision.rows(), precision.cols()));
  return {covariance.data(), covariance.data() + covariance.size()};
}

MultivariateGaussian::Projection MultivariateGaussian::along(std::span<const double> direction) const {
  const Eigen::Map<const Vector> x(direction.data(), static_cast<Eigen::Index>(direction.size()));
  const Vector solution = precision_matrix(*this).llt().solve(x);
  return {.mean = solution.dot(precision_mean_vector(*this)), .variance = solution.dot(x)};
}

void MultivariateGaussian::observe(std::span<const double> direction, double value, double weight) {
  for (std::size_t i = 0; i < direction.size(); ++i) {
    natural[i] += weight * value * direction[i];
    for (std::size_t j = 0; j <= i; ++j) add_precision(i, j, weight * direction[i] * direction[j]);
  }
}

bool MultivariateGaussian::is_proper() const {
  const Matrix precision = precision_matrix(*this);
  return precision.allFinite() && precision_mean_vector(*this).allFinite() && precision.llt().info() == Eigen::Success;
}

double MultivariateGaussian::log_normalizer() const {
  const Vector h = precision_mean_vector(*this);
  const Eigen::LLT<Matrix> factor = precision_matrix(*this).llt();
  double log_determinant = 0;
  for (Eigen::Index i = 0; i < h.size(); ++i) log_determinant += 2 * std::log(factor.matrixL()(i, i));
  return .5 *
         (h.dot(factor.solve(h)) + static_cast<double>(h.size()) * std::log(2 * std::numbers::pi) - log_determinant);
}

MultivariateGaussian::Parameters MultivariateGaussian::expected_statistics() const {
  const Matrix precision = precision_matrix(*this);
  const Eigen::LLT<Matrix> factor = precision.llt();
  const Vector mean = factor.solve(precision_mean_vector(*this));
  Matrix seconds = factor.solve(Matrix::Identity(precision.rows(), precision.cols())) + mean * mean.transpose();
  seconds.diagonal() /= 2;
  return from_natural(mean, -seconds).natural;
}

}  // namespace fovea::ep
