// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>

namespace fovea {

/// Of wall time, from `start` to now.
inline double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

}  // namespace fovea
