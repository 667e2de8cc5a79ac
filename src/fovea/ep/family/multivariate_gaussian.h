// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <vector>

#include "fovea/ep/family/exponential_family.h"

namespace fovea::ep {

/// exp(h . x - x^T P x / 2) over d dimensions. The natural parameters are h, then the lower triangle of P by rows, each
/// entry once: T(x) = (x, -x_i^2 / 2, -x_i x_j). There are d (d + 3) / 2 of them.
struct MultivariateGaussian : ExponentialFamily<MultivariateGaussian, std::vector<double>> {
  static constexpr const char* kName = "multivariate-gaussian";

  static std::size_t parameter_count(std::size_t dimension) { return dimension * (dimension + 3) / 2; }
  static MultivariateGaussian uniform(std::size_t dimension) {
    return {{std::vector<double>(parameter_count(dimension))}};
  }
  /// covariance: d x d, by rows; symmetric and positive definite.
  static MultivariateGaussian from_mean_covariance(std::span<const double> mean, std::span<const double> covariance);
  static MultivariateGaussian from_expected_statistics(const Parameters& statistics);

  std::size_t dimension() const;
  double precision_mean(std::size_t i) const { return natural[i]; }
  double precision(std::size_t i, std::size_t j) const { return natural[entry(i, j)]; }
  void add_precision(std::size_t i, std::size_t j, double value) { natural[entry(i, j)] += value; }

  /// Mean of a proper message. O(d^3).
  std::vector<double> mean() const;
  std::vector<double> covariance() const;  ///< d x d, by rows
  /// Mean and variance of x . direction.
  struct Projection {
    double mean = 0, variance = 0;
  };
  Projection along(std::span<const double> direction) const;
  /// Multiplies the message by exp(weight (value x . direction - (x . direction)^2 / 2)): x . direction was observed
  /// with precision `weight`.
  void observe(std::span<const double> direction, double value, double weight);

  /// True if P is positive definite. O(d^3).
  bool is_proper() const;
  double log_normalizer() const;
  Parameters expected_statistics() const;

  friend bool operator==(const MultivariateGaussian&, const MultivariateGaussian&) = default;

 private:
  std::size_t entry(std::size_t i, std::size_t j) const {
    return dimension() + (i >= j ? i * (i + 1) / 2 + j : j * (j + 1) / 2 + i);
  }
};

}  // namespace fovea::ep
