// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>

namespace fovea::ep {

/// The quantile of sorted numbers, at least one, between the two nearest. `share`: from 0 to 1.
inline double quantile(std::span<const double> sorted, double share) {
  const double place = share * (static_cast<double>(sorted.size()) - 1);
  const auto below = static_cast<std::size_t>(place);
  if (below + 1 >= sorted.size()) return sorted.back();
  return sorted[below] + (place - static_cast<double>(below)) * (sorted[below + 1] - sorted[below]);
}

}  // namespace fovea::ep
