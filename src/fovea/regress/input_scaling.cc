// SPDX-License-Identifier: Apache-2.0
#include "fovea/regress/input_scaling.h"

#include <cmath>
#include <limits>

namespace fovea::regress {

InputScaling::InputScaling(std::span<const RegressionExample* const> examples) : constants_(examples[0]->inputs) {
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

bool InputScaling::knows(std::span<const double> inputs) const {
  for (std::size_t i = 0; i < inputs.size(); ++i)
    if (!std::isnan(constants_[i]) && inputs[i] != constants_[i]) return false;
  return true;
}

}  // namespace fovea::regress
