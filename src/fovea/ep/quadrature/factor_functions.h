// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "fovea/base/random.h"

namespace fovea::ep {

/// All that a user need say of a factor over a child and its parents: how the child is drawn, or how likely it is.
struct FactorFunctions {
  std::string name;
  /// A draw of the child given its parents; where there is no chance, a function.
  std::function<double(std::span<const double> parents, Random& random)> sample = {};
  /// log p(child | parents), up to a constant; values are the child's and then its parents'. -inf where it cannot be.
  std::function<double(std::span<const double> values)> log_density = {};
};

}  // namespace fovea::ep
