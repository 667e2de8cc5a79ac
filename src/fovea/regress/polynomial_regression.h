// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "fovea/regress/input_scaling.h"
#include "fovea/regress/recursive_least_squares.h"
#include "fovea/regress/regressor.h"

namespace fovea::regress {

/// Regression on the monomials of the inputs up to some degree, learned from some examples at once and then one at a
/// time. They are centred and
/// scaled as the first examples say. Those that were the same in all of them are left out: another value there is
/// unknown, and the prediction's leverage infinite.
class PolynomialRegression {
 public:
  /// The degree is lowered while there would be more monomials.
  static constexpr std::size_t kMostMonomials = 34;

  /// At least one example; degree, ridge > 0. Sets `in_sample`. Inputs after the first `major_inputs` are minor: there
  /// is no product of two of them where not all of degree 2 can be had.
  PolynomialRegression(std::span<const RegressionExample* const> examples, std::size_t major_inputs, int degree,
                       double ridge, RecursiveLeastSquares::InSample& in_sample);

  std::size_t monomials() const { return regression_.features(); }

  /// Whether the inputs that were left out are what they were.
  bool knows(std::span<const double> inputs) const { return scaling_.knows(inputs); }

  /// knows(inputs) must hold.
  void add(std::span<const double> inputs, std::span<const double> target);

  /// Sets `predicted` and returns the leverage, the variance of the prediction in units of the noise's.
  double predict(std::span<const double> inputs, std::span<double> predicted) const;

 private:
  /// One that was made before, times one of the inputs, which are the monomials from 1 on.
  struct Product {
    std::uint32_t monomial, input;
  };
  static std::vector<Product> products(const InputScaling& scaling, std::size_t major_inputs, int degree);
  static std::optional<std::vector<Product>> products(std::span<const int> counts_for, int degree);
  std::size_t monomials(std::span<const double> inputs, std::span<double> values) const;

  InputScaling scaling_;
  std::vector<Product> recipe_;  // monomials beyond 1 and the inputs
  RecursiveLeastSquares regression_;
};

}  // namespace fovea::regress
