// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace fovea {

/// Linear regression of several outputs on the same features, one example after the other:
///
///   W = argmin sum_i |y_i - W^T phi_i|^2 + ridge |W|^2.
///
/// Kept are W and the Cholesky factor of A = ridge I + sum_i phi_i phi_i^T, which stays positive definite where updates
/// of its inverse would not. Reading is thread-safe while nothing is added.
class RecursiveLeastSquares {
 public:
  /// ridge > 0.
  RecursiveLeastSquares(std::size_t features, std::size_t outputs, double ridge);

  /// What is predicted of the examples that were learned, with themselves: [example][output], and their leverages.
  struct InSample {
    std::vector<double> predicted = {}, leverage = {};
  };
  /// Learns many examples at once, several times faster than one after the other: phi [example][feature], y
  /// [example][output]. Only before any other. O(examples features (features + outputs)).
  InSample fit(std::span<const double> phi, std::span<const double> y);

  std::size_t features() const { return features_; }
  std::size_t outputs() const { return outputs_; }
  std::size_t examples() const { return examples_; }

  /// O(features (features + outputs)).
  void add(std::span<const double> phi, std::span<const double> y);

  /// y = W^T phi. O(features outputs).
  void predict(std::span<const double> phi, std::span<double> y) const;

  /// phi^T A^-1 phi: the variance of a prediction in units of the noise's. Large where nothing like phi was seen, near
  /// features / examples among what was. Overwrites phi. O(features^2).
  double leverage(std::span<double> phi) const;

 private:
  void solve_lower(std::span<double> x) const;
  void solve_upper(std::span<double> x) const;
  void update_factor(std::vector<double> x);
  /// L_jj and what is below it.
  std::size_t column(std::size_t j) const { return j * (2 * features_ - j + 1) / 2; }

  std::size_t features_, outputs_, examples_ = 0;
  double ridge_;
  std::vector<double> inverse_;  // 1 / L_jj
  std::vector<double> factor_;   // L of A = L L^T, column after column, each from its diagonal on
  std::vector<double> weights_;  // W: [feature][output]
};

}  // namespace fovea
