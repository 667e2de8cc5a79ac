// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <limits>

namespace fovea {

inline constexpr double kInfinity = std::numeric_limits<double>::infinity();
inline constexpr float kInfinityF = std::numeric_limits<float>::infinity();

/// The log score of what cannot be.
inline constexpr double kImpossible = -kInfinity;
inline constexpr float kImpossibleF = -kInfinityF;

}  // namespace fovea
