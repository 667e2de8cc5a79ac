// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "fovea/regress/input_scaling.h"
#include "fovea/regress/recursive_least_squares.h"
#include "fovea/regress/regressor.h"

namespace fovea {

/// Regression on the monomials of the inputs up to some degree, learned from some examples at once and then one at a
/// time. Inputs are centred and scaled as the first examples say. Those that were the same in all of them are left out:
/// another value there is unknown, and the prediction's leverage infinite.
class PolynomialRegression {
 public:
  /// Lowers the degree where there would be more monomials than kMostMonomials.
  static constexpr std::size_t kMostMonomials = 34;

  /// At least one example; degree, ridge > 0. Sets `in_sample`.
  PolynomialRegression(std::span<const RegressionExample* const> examples, int degree, double ridge,
                       RecursiveLeastSquares::InSample& in_sample);

  std::size_t monomials() const { return regression_.features(); }

  /// Whether the inputs that were left out are what they were.
  bool knows(std::span<const double> inputs) const { return scaling_.knows(inputs); }

  /// knows(inputs) must hold.
  void add(std::span<const double> inputs, std::span<const double> target);

  /// Sets `predicted` and returns the leverage, the variance of the prediction in units of the noise's.
  double predict(std::span<const double> inputs, std::span<double> predicted) const;

 private:
  static std::vector<std::uint32_t> monomials_of(std::size_t inputs, int degree);
  std::size_t monomials(std::span<const double> inputs, std::span<double> values) const;

  InputScaling scaling_;
  /// Of each monomial but 1, the one that it is a multiple of, and by which input: pairs.
  std::vector<std::uint32_t> recipe_;
  RecursiveLeastSquares regression_;
};

}  // namespace fovea
