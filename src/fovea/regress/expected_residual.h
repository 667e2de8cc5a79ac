// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>

#include "fovea/base/log_math.h"

namespace fovea::regress {

/// Recent residual of a regression where its leverage is 0, and the part of it that is due to the targets' noise.
/// Infinite while nothing is known.
struct ExpectedResidual {
  double residual = kInfinity, chance = 0;

  /// Takes in the `count`-th residual, of a prediction with this leverage that was made before its example was learned.
  /// Forgets residuals much older than the last hundred. Returns false if the residual does not count.
  bool observe(double observed, double by_chance, double leverage, std::size_t count) {
    constexpr double kMemory = 100;
    if (!(leverage < 1)) return false;  // a far point shows more about the curve there than about its error
    const double at_no_leverage = observed / (1 + leverage);
    const double weight = residual == kInfinity ? 1 : 1 / std::min(kMemory, static_cast<double>(count));
    if (residual == kInfinity) residual = at_no_leverage;
    residual += weight * (at_no_leverage - residual);
    chance += weight * (by_chance - chance);
    return true;
  }

  /// The residual to expect of a prediction: noise adds to a regression's error only in proportion to its leverage.
  double doubt(double leverage) const {
    if (!(leverage < kInfinity) || residual == kInfinity) return kInfinity;
    return std::max(0., residual - chance) * (1 + leverage) + chance * leverage;
  }
};

}  // namespace fovea::regress
