// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <Eigen/Core>
#include <limits>
#include <span>
#include <vector>

namespace fovea::ep {

/// A smooth function near some points, from its values at others: universal kriging, a Gaussian process around a plane
/// (Rasmussen and Williams 2006, section 2.7), with a squared exponential kernel whose length is the likeliest of a
/// few. The points that are asked for set the scale and the directions in which distance is measured.
class LocalKriging {
 public:
  struct Value {
    double mean = 0;
    double deviation = 0;  ///< infinite if too few values are known
  };

  /// `asked`: one point a column, [dimension, point]. They give the centre and the scale.
  explicit LocalKriging(const Eigen::MatrixXd& asked);

  /// Takes the values at the known points ([point][dimension]) that are nearest to the centre. The kernel has this
  /// length, in standard deviations of the asked points; 0: the likeliest of a few. Returns it.
  double fit(std::span<const std::vector<double>> points, std::span<const double> values, double length);

  /// Values at the asked points.
  std::vector<Value> predict() const;

 private:
  /// Regression by one length of the kernel.
  struct Fit {
    double log_likelihood = -std::numeric_limits<double>::infinity();
    double length = 0, variance = 0;
    Eigen::MatrixXd root, trend;             // Cholesky factor of the kernel matrix; inverse root times [1, z]
    Eigen::MatrixXd information_root;        // Cholesky factor of trend' trend
    Eigen::VectorXd coefficients, residual;  // of the plane; inverse root times what it leaves
  };
  Fit fit_of(double length, const Eigen::VectorXd& values) const;

  Eigen::VectorXd centre_;
  Eigen::MatrixXd scale_;  // Cholesky factor of the covariance of the asked points
  Eigen::MatrixXd asked_;  // scaled
  Eigen::MatrixXd known_;  // scaled, [dimension, point]
  Fit best_;
};

}  // namespace fovea::ep
