// SPDX-License-Identifier: Apache-2.0
/// For the sources of this module alone: shows Eigen.
#pragma once

#include "fovea/base/stop.h"
#include "fovea/gp/training/expectations.h"
#include "fovea/gp/training/fit_summary.h"

namespace fovea::gp {

struct NaturalGradientOptions {
  std::size_t draws = 16;
  int iterations = 30;
  double tolerance = 1e-3;       ///< ends when an iteration raises the bound by less than this, per item
  double pairwise_variance = 1;  ///< of the prior
  int threads = 0;
};

struct FittedPosterior {
  Sites sites;
  UnaryPosterior unary;
  PairwisePosterior pairwise;
  FitSummary summary;
};

/// Maximises the bound by conjugate computation (Khan, Lin 2017): a natural gradient step mixes each site with the
/// Gaussian that has the expected slope and curvature of the log likelihood,
///   precision <- (1 - rho) precision + rho E[-d^2 log p],
///   linear    <- (1 - rho) linear + rho (E[-d^2 log p] E[f] + E[d log p]).
/// All draws come from the same normals, so that the bound is a function of the posterior: a step that lowers it is
/// taken back and tried at half its length. Between two steps L-BFGS moves the pairwise function, which oscillates
/// under natural gradients. Ends where the bound has settled, and with the best so far where `stop` asks to.
FittedPosterior fit_by_natural_gradient(const Sequences& sequences, const ProjectedSequences& projected,
                                        std::size_t labels, const Likelihood& likelihood,
                                        const NaturalGradientOptions& options, const Random& random, const Stop& stop,
                                        const ProgressFunction& progress);

}  // namespace fovea::gp
