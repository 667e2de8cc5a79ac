// SPDX-License-Identifier: Apache-2.0
/// For the sources of this module alone: shows Eigen.
#pragma once

#include "fovea/gp/training/inference.h"

namespace fovea::gp {

struct SliceSamplingOptions {
  int iterations = 20000;                     ///< the first fifth is warm-up
  std::size_t kept = 100;                     ///< draws, evenly spaced; up to twice as many are kept
  const PosteriorComponent* start = nullptr;  ///< the chain starts from a draw of it; null: of the prior
};

/// Draws from the posterior by elliptical slice sampling (Murray, Adams, MacKay (2010), Figure 2), as in the original
/// structured Gaussian process paper (Bratieres, Quadrianto, Ghahramani (2015)): all latent functions and the pairwise
/// function move at once,
///   f' = f cos(angle) + nu sin(angle),  nu ~ prior,
/// with the bracket of angles shrinking until log p(y | f') is above a threshold drawn below log p(y | f).
///
/// The prior is that of the inducing points plus, for each sequence, what they leave open (equations 13 and 14): with
/// as many points as the covariance has rank it is the whole process. One iteration costs O(items * M * |V|) and a few
/// evaluations of the likelihood.
FittedPosterior sample_by_slices(const InferenceProblem& problem, const SliceSamplingOptions& options,
                                 const Random& random, InferenceWatch& watch);

}  // namespace fovea::gp
