// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cmath>
#include <cstddef>

namespace fovea {

/// log n of a count n >= 1: of small ones from a table, which is faster.
inline double log_count(std::size_t n) {
  static const auto table = [] {
    std::array<double, 4096> logs = {};
    for (std::size_t i = 1; i < logs.size(); ++i) logs[i] = std::log(static_cast<double>(i));
    return logs;
  }();
  return n < table.size() ? table[n] : std::log(static_cast<double>(n));
}

}  // namespace fovea
