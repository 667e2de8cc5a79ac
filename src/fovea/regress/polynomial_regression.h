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
/// time. The inputs are centred and scaled by the first examples. Inputs that were the same in all of those are left
/// out: any other value of such an input is unknown, and the leverage of the prediction is then infinite.
class PolynomialRegression {
 public:
  /// Maximum number of monomials; the degree is lowered until they are no more than this.
  static constexpr std::size_t kMostMonomials = 34;

  /// At least one example; degree, ridge > 0. Sets `in_sample`. Inputs after the first `major_inputs` are minor:
  /// products of two of them are left out if not all products of degree 2 fit.
  PolynomialRegression(std::span<const RegressionExample* const> examples, std::size_t major_inputs, int degree,
                       double ridge, RecursiveLeastSquares::InSample& in_sample);

  std::size_t monomials() const { return regression_.features(); }

  /// True if the inputs that were left out have the same values as before.
  bool knows(std::span<const double> inputs) const { return scaling_.knows(inputs); }

  /// knows(inputs) must hold.
  void add(std::span<const double> inputs, std::span<const double> target);

  /// Sets `predicted` and returns the leverage: the variance of the prediction in units of the noise's variance.
  double predict(std::span<const double> inputs, std::span<double> predicted) const;

 private:
  /// The product of an earlier monomial and an input; the inputs are the monomials from 1 on.
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
