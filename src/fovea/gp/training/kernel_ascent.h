// SPDX-License-Identifier: Apache-2.0
/// For the sources of this module alone: shows Eigen.
#pragma once

#include "fovea/gp/training/kernel_gradient.h"

namespace fovea::gp {

/// The bound, and its gradient by the logarithms of the covariance function's parameters, for items projected by
/// `points`.
using KernelBound =
    std::function<double(const InferenceProblem& problem, const InducingPoints& points, std::span<double> gradient)>;

/// Moves the parameters of the covariance function to where the bound is higher, by L-BFGS on their logarithms; the
/// choice of inducing points stays as it is. Returns the points under the covariance function that it found; under the
/// one that they had where it has no parameters or none is better.
InducingPoints ascend_kernel(const InferenceProblem& problem, const InducingPoints& points, const KernelBound& bound,
                             int iterations);

}  // namespace fovea::gp
