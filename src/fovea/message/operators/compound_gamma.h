// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "fovea/message/family/gamma.h"

namespace fovea::message {

/// By which moments a marginal is made a Gamma.
enum class GammaProjection { kMeanVariance, kMeanLogarithm };

/// The factor on x > 0 whose rate has been summed out: x ~ Gamma(shape, rate r), r ~ Gamma(rate_shape, rate_rate),
///
///   f(x) ~ x^(shape - 1) (rate_rate + x)^-(shape + rate_shape).
struct CompoundGammaFactor {
  double shape = 1, rate_shape = 1, rate_rate = 1;  ///< all > 0

  /// Of x's marginal f(x) x(x); the incoming message may be uniform.
  Gamma marginal_of_x(const Gamma& x, GammaProjection projection = GammaProjection::kMeanLogarithm) const;
  double log_density(double x) const;  ///< normalised
};

}  // namespace fovea::message
