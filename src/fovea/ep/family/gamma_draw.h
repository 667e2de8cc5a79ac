// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "fovea/base/random.h"

namespace fovea::ep {

/// Draws from a Gamma with rate 1, by Marsaglia and Tsang (2000), "A simple method for generating gamma variables".
/// `shape`: finite, > 0.
double draw_gamma(double shape, Random& random);
/// The logarithm of such a draw, which stays finite where the draw is too small for a number.
double draw_log_gamma(double shape, Random& random);

}  // namespace fovea::ep
