// SPDX-License-Identifier: Apache-2.0
/// Internal to this module: exposes Eigen.
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "fovea/gp/training/score_estimator.h"

namespace fovea::gp {

/// <log p(y_n | f)> under one component and its gradient: by the score function, or of draws.
using SequenceEstimate =
    std::function<SequenceExpectation(std::size_t sequence, const SequenceGaussian& q, std::size_t component)>;

/// <log p(y | f)> under a mixture of Gaussians over whitened inducing variables, as a function of the covariance
/// function's parameters theta. The divergence from the prior does not depend on them, so this is the gradient of the
/// bound, which the paper omits: with A = K_NZ L^{-T}, b = A m, Sigma = K_NN + A (S - I) A^T, and the gradients g and G
/// with respect to b and Sigma,
///   d/dA = g m^T + 2 G A (S - I),   d/dK_NN = G (within sequences),   d/dK_NZ = (d/dA) L^{-1},
///   d/dL = - lower((d/dK_NZ)^T A),   d/dK_ZZ by way of L L^T = K_ZZ,
/// each summed with the derivatives of k by log theta. These are central differences, so any covariance function will
/// do. Jitter added to diagonals counts as constant.
///
/// `problem` has items projected by `points`; `gradient`: with respect to the logarithms of theta. O(|V| items M^2 +
/// M^3 + parameters * the cost of K_NZ).
double kernel_gradient(const InferenceProblem& problem, const InducingPoints& points, const MixturePosterior& posterior,
                       const SequenceEstimate& estimate, std::span<double> gradient);

/// The bound, and its gradient with respect to the logarithms of the covariance function's parameters, for items
/// projected by `points`.
using KernelBound =
    std::function<double(const InferenceProblem& problem, const InducingPoints& points, std::span<double> gradient)>;

/// Raises the bound over the parameters of the covariance function, by L-BFGS on their logarithms; the choice of
/// inducing points stays as it is. Returns the points under the covariance function found, or under the original one if
/// it has no parameters or none is better.
InducingPoints ascend_kernel(const InferenceProblem& problem, const InducingPoints& points, const KernelBound& bound,
                             int iterations);

}  // namespace fovea::gp
