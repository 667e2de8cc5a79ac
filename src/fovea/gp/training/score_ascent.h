// SPDX-License-Identifier: Apache-2.0
/// Internal to this module: exposes Eigen.
#pragma once

#include "fovea/gp/training/inference.h"

namespace fovea::gp {

struct ScoreAscentOptions {
  bool batch = true;          ///< L-BFGS on all sequences; else SAGA on one sequence at a time
  std::size_t draws = 10000;  ///< per sequence and component
  int rounds = 100;           ///< each moves the unary functions, then the pairwise function
  std::size_t components = 1;
  bool diagonal = false;  ///< diagonal covariances
  bool control_variates = true;
  const MixturePosterior* start = nullptr;  ///< Gaussians to continue from; null: the start of VariationalMixture
};

/// Maximises the bound by gradients from the likelihood's values alone, as the paper does (section 5, appendix E.1).
///
/// batch, GP-VAR-B: a round is 50 iterations of L-BFGS on the unary functions' parameters and 10 on those of the
/// pairwise function, with the same draws throughout; the fit ends when a round changes the bound by less than 1e-5 or
/// the unary means by less than .001 on average. Otherwise, GP-VAR-S: a round is 3,000 steps of SAGA (Defazio, Bach,
/// Lacoste-Julien (2014)) on the unary functions and 1,000 on the pairwise function, at rates 1e-4 for means and 1e-5
/// for covariances; the gradient of one sequence replaces the one stored for it, and the step is along
///   N (new - stored) + sum of all stored + gradient of - KL.
/// A step costs O(|V| M^2 T_n + draws T_n (|V|^2 + T_n |V|)), whatever the number of sequences; with full covariances
/// O(|V| M^3) more, to turn the gradient of S into that of its factor.
///
/// Uses whitened coordinates throughout, in which the bound and its optimum are the same, and rates do not depend on
/// K_ZZ.
FittedPosterior fit_by_scores(const InferenceProblem& problem, const ScoreAscentOptions& options, const Random& random,
                              InferenceWatch& watch);

}  // namespace fovea::gp
