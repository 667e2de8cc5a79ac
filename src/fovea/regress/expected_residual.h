// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>

#include "fovea/base/log_math.h"

namespace fovea::regress {

/// What a regression's residuals have been lately, where its leverage is 0, and how much of that is the targets' noise.
/// Infinite while nothing is known.
struct ExpectedResidual {
  double residual = kInfinity, chance = 0;

  /// The `count`-th residual, of a prediction of this leverage that was made before its example was learned. Forgets
  /// what is much older than a hundred. False where it does not count.
  bool observe(double observed, double by_chance, double leverage, std::size_t count) {
    constexpr double kMemory = 100;
    if (!(leverage < 1)) return false;  // a far point says more of the curve there than of what it errs by
    const double at_no_leverage = observed / (1 + leverage);
    const double weight = residual == kInfinity ? 1 : 1 / std::min(kMemory, static_cast<double>(count));
    if (residual == kInfinity) residual = at_no_leverage;
    residual += weight * (at_no_leverage - residual);
    chance += weight * (by_chance - chance);
    return true;
  }

  /// The residual that a prediction expects of itself: noise makes a regression err by its leverage only.
  double doubt(double leverage) const {
    if (!(leverage < kInfinity) || residual == kInfinity) return kInfinity;
    return std::max(0., residual - chance) * (1 + leverage) + chance * leverage;
  }
};

}  // namespace fovea::regress
