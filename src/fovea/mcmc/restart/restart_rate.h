// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>

namespace fovea::mcmc {

/// The restart rate epsilon, among 1, 1/sqrt(2), 1/2 .. 1/256, with the best expected gain per unit of work,
///
///   (score(epsilon) - score(1)) / (start_cost + 1 / epsilon - 1),
///
/// where score(epsilon) is the expected score of a draw from the chain's stationary law (which is u for epsilon = 1), a
/// start costs `start_cost` >= 0 steps, and 1 / epsilon - 1 steps follow it on average. Returns 1 if steps never gain.
double best_restart_rate(const std::function<double(double epsilon)>& score, double start_cost);

}  // namespace fovea::mcmc
