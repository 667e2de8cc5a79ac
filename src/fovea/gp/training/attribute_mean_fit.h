// SPDX-License-Identifier: Apache-2.0
/// For the sources of this module alone: shows Eigen.
#pragma once

#include "fovea/gp/inducing/inducing_points.h"
#include "fovea/gp/training/inference.h"

namespace fovea::gp {

struct AttributeMeanOptions {
  double variance;             ///< of the linear covariance
  std::size_t draws;           ///< even
  bool wants_left_out = true;  ///< see below
};

/// Frees the means of one Gaussian from its inducing points: maximises
///   <log p> - sum_j |w_j|^2 / (2 variance)
/// over a weight for every feature by L-BFGS, from the means as they stand, with variances as they are and the same
/// draws throughout, in turns with the pairwise function. The second term is what means contribute to the divergence
/// (Cheng, Boots (2017), equation 9, for k(x, y) = variance x^T y), so the bound stays a bound, and never falls.
///
/// `wants_left_out`: fills in the means that sequences would have by fits to other folds of them, from the maximum
/// without what their own slopes contribute to it; with the pairwise function as it is.
void free_means(const InferenceProblem& problem, const InducingPoints& points, const AttributeMeanOptions& options,
                const Random& random, InferenceWatch& watch, FittedPosterior& fitted);

}  // namespace fovea::gp
