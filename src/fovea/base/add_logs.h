// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cmath>
#include <span>

#include "fovea/base/infinity.h"

namespace fovea {

/// log(exp(a) + exp(b)); either may be -inf.
inline double add_logs(double a, double b) {
  const double high = std::max(a, b);
  if (high == kImpossible) return high;
  return high + std::log1p(std::exp(std::min(a, b) - high));
}

/// log of the sum of exp(scores); not empty, any may be -inf.
inline double log_sum(std::span<const double> scores) {
  const double high = *std::max_element(scores.begin(), scores.end());
  if (high == kImpossible) return high;
  double sum = 0;
  for (const double score : scores) sum += std::exp(score - high);
  return high + std::log(sum);
}

}  // namespace fovea
