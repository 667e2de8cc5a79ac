// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <limits>
#include <vector>

namespace fovea {

using VariableId = std::uint32_t;
using Value = std::uint16_t;
using Assignment = std::vector<Value>;

/// An assignment with its log score; starts as "none found".
struct ScoredAssignment {
  Assignment values = {};
  double score = -std::numeric_limits<double>::infinity();

  bool found() const { return !values.empty() || score > -std::numeric_limits<double>::infinity(); }
};

}  // namespace fovea
