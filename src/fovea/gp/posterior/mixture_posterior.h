// SPDX-License-Identifier: Apache-2.0
/// For the sources of this module alone: shows Eigen.
#pragma once

#include <vector>

#include "fovea/gp/posterior/pairwise_posterior.h"
#include "fovea/gp/posterior/unary_posterior.h"

namespace fovea::gp {

/// One component of q(u, pairwise).
struct PosteriorComponent {
  double weight = 1;
  UnaryPosterior unary;
  PairwisePosterior pairwise;
};

/// q(u, pairwise) = sum_k weight_k q_k(u) q_k(pairwise), equation (16); weights sum to 1. One Gaussian, a mixture of
/// them, or draws of a Markov chain.
using MixturePosterior = std::vector<PosteriorComponent>;

}  // namespace fovea::gp
