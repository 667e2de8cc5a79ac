// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>

namespace fovea::mcmc {

/// Above this shape, means by importance sampling cannot be trusted (Vehtari et al. 2024, section 3.2.4).
inline constexpr double kLargestTrustedShape = .7;

/// Replaces the largest weights of importance sampling by what a generalised Pareto distribution, fitted to them,
/// expects in their places (Vehtari et al. 2024, "Pareto smoothed importance sampling"; the fit is that of Zhang and
/// Stephens 2009). log_weights: 25 or more, in any order, -infinity where a weight is 0.
///
/// Returns the shape k of the distribution: the weights have finite moments up to order 1 / k. Infinity if there are
/// too few different weights to tell.
double smooth_tail(std::span<double> log_weights);

}  // namespace fovea::mcmc
