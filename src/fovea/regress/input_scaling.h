// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "fovea/regress/regressor.h"

namespace fovea::regress {

/// Centres and scales inputs to mean 0 and variance 1 among some examples. Inputs that were the same in all of these
/// are left out; any other value of such an input is unknown.
class InputScaling {
 public:
  InputScaling() = default;
  /// There must be at least one example.
  explicit InputScaling(std::span<const RegressionExample* const> examples);

  std::size_t size() const { return varying_.size(); }  ///< number of inputs that vary
  std::size_t input(std::size_t k) const { return varying_[k].input; }
  /// The scaled value of the k-th input that varies.
  double scaled(std::size_t k, std::span<const double> inputs) const {
    const Varying& v = varying_[k];
    return (inputs[v.input] - v.centre) * v.factor;
  }
  /// True if the inputs that were left out have the same values as before.
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
