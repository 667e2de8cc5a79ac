// SPDX-License-Identifier: Apache-2.0
/// For the sources of this module alone: shows Eigen.
#pragma once

#include "fovea/gp/inducing/inducing_points.h"
#include "fovea/gp/training/inference.h"

namespace fovea::gp {

/// Frees the means of one Gaussian from its inducing points: maximises
///   <log p> - sum_j |w_j|^2 / (2 variance)
/// over a weight for every feature by L-BFGS, from the means as they stand, with variances as they are and the same
/// draws throughout, in turns with the pairwise function. The second term is what means contribute to the divergence
/// (Cheng, Boots (2017), equation 9, for k(x, y) = variance x^T y), so the bound stays a bound, and never falls.
///
/// The sites' linear terms become the expected slopes, of which leave_one_out_marginals makes use.
void free_means(const InferenceProblem& problem, const InducingPoints& points, double variance, std::size_t draws,
                const Random& random, InferenceWatch& watch, FittedPosterior& fitted);

}  // namespace fovea::gp
