// SPDX-License-Identifier: Apache-2.0
/// Internal to this module: exposes Eigen.
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
/// over a weight for every feature by L-BFGS. Starts from the present means, keeps the variances, uses the same draws
/// throughout, and takes turns with the pairwise function. The second term is the means' part of the divergence (Cheng,
/// Boots (2017), equation 9, for k(x, y) = variance x^T y), so the bound stays a bound, and never falls.
///
/// `wants_left_out`: also computes the means that sequences have in fits to the other folds. These fits start from the
/// maximum without the contribution of the sequences' own slopes, and keep the pairwise function as it is.
void free_means(const InferenceProblem& problem, const InducingPoints& points, const AttributeMeanOptions& options,
                const Random& random, InferenceWatch& watch, FittedPosterior& fitted);

}  // namespace fovea::gp
