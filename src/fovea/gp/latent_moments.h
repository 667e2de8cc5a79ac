// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "fovea/gp/data/sequences.h"

namespace fovea::gp {

struct FittedGp;

/// Mean and variance of a latent function at each item.
struct LatentMoments {
  std::vector<double> means, variances;  ///< [item]
};

/// Moments of the mixture (equations 16 and 18), of the function of one label at each item; `labels`: one for each
/// item. O(items * M^2).
LatentMoments latent_moments(const FittedGp& fitted, const Sequences& sequences, Labels labels, int threads);

}  // namespace fovea::gp
