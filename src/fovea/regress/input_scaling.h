// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
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

inline InputScaling::InputScaling(std::span<const RegressionExample* const> examples)
    : constants_(examples[0]->inputs) {
  const auto n = static_cast<double>(examples.size());
  for (std::uint32_t input = 0; input < constants_.size(); ++input) {
    double mean = 0, squares = 0;
    for (const RegressionExample* example : examples) mean += example->inputs[input] / n;
    bool varies = false;
    for (const RegressionExample* example : examples) {
      squares += (example->inputs[input] - mean) * (example->inputs[input] - mean) / n;
      varies = varies || example->inputs[input] != examples[0]->inputs[input];
    }
    if (!varies) continue;
    varying_.push_back({.input = input, .centre = mean, .factor = 1 / std::sqrt(squares)});
    constants_[input] = std::numeric_limits<double>::quiet_NaN();
  }
}

inline bool InputScaling::knows(std::span<const double> inputs) const {
  for (std::size_t i = 0; i < inputs.size(); ++i)
    if (!std::isnan(constants_[i]) && inputs[i] != constants_[i]) return false;
  return true;
}

}  // namespace fovea::regress
