// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "fovea/regress/regressor.h"

namespace fovea::regress {

/// Centres and scales inputs as some examples say: mean 0 and variance 1 among them. Inputs that were the same in all
/// of them are left out; another value there is unknown.
class InputScaling {
 public:
  InputScaling() = default;
  /// At least one example.
  explicit InputScaling(std::span<const RegressionExample* const> examples);

  std::size_t size() const { return varying_.size(); }  ///< how many inputs vary
  std::size_t input(std::size_t k) const { return varying_[k].input; }
  /// The k-th that varies.
  double scaled(std::size_t k, std::span<const double> inputs) const {
    const Varying& v = varying_[k];
    return (inputs[v.input] - v.centre) * v.factor;
  }
  /// Whether the inputs that were left out are what they were.
  bool knows(std::span<const double> inputs) const;

 private:
  struct Varying {
    std::uint32_t input;
    double centre, factor;
  };
  std::vector<Varying> varying_;
  std::vector<double> constants_;  // [input]; NaN where it varies
};

}  // namespace fovea::regress
