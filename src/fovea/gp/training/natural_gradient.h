// SPDX-License-Identifier: Apache-2.0
/// Internal to this module: exposes Eigen.
#pragma once

#include "fovea/gp/training/expectations.h"
#include "fovea/gp/training/inference.h"

namespace fovea::gp {

/// Takes a natural gradient step of length rho on the sites of some items (Khan, Lin 2017): mixes each with the
/// Gaussian that has the expected slope and curvature of the log likelihood,
///   precision <- (1 - rho) precision + rho E[-d^2 log p],
///   linear    <- (1 - rho) linear + rho (E[-d^2 log p] E[f] + E[d log p]).
/// `rows`: the items' projected features; `means`: E[f], items x |V|.
void step_sites(const Eigen::Ref<const LargeRows>& rows, const RowMatrix& means, const SiteExpectations& expectations,
                double rho, Sites& sites);

struct NaturalGradientOptions {
  std::size_t draws = 16;
  int iterations = 30;
  std::size_t minibatch = 0;  ///< items, for fit_by_minibatches
  double tolerance = 1e-3;    ///< ends when an iteration raises the bound by less than this, per item
};

/// Maximises the bound by conjugate computation: natural gradient steps on the sites of all items (step_sites). All
/// draws come from the same normals, so the bound is a function of the posterior: a step that lowers it is undone and
/// tried at half its length. Between two steps L-BFGS moves the pairwise function, which oscillates under natural
/// gradients. Ends when the bound has settled, or with the best result so far when `watch` requests it.
FittedPosterior fit_by_natural_gradient(const InferenceProblem& problem, const NaturalGradientOptions& options,
                                        const Random& random, InferenceWatch& watch);

}  // namespace fovea::gp
