// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "fovea/base/random.h"
#include "fovea/base/run_control.h"
#include "fovea/ep/fit/gaussian_approximation.h"
#include "fovea/mcmc/hamiltonian/nuts.h"

namespace fovea::ep {

/// log of the integral of a density, by importance sampling.
struct LogEvidence {
  double value = 0, standard_error = 0;
  double shape = 0;  ///< of the weights' tail (mcmc/pareto_smoothing.h); above .7 the value is not to be trusted
};

/// Draws from a Student distribution of 5 degrees of freedom in the place and of the shape of the approximation.
/// Nothing if it is stopped.
std::optional<LogEvidence> estimate_evidence(const mcmc::LogDensity& density,
                                             const GaussianApproximation& approximation, Random random,
                                             const Stop& stop = {});

}  // namespace fovea::ep
