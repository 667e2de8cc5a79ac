// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "fovea/base/run_control.h"
#include "fovea/mcmc/hamiltonian/nuts.h"

namespace fovea::ep {

/// A Gaussian at the mode of a density, with the curvature there as precision (Laplace's approximation).
struct GaussianApproximation {
  std::vector<double> mode = {};
  /// Lower triangular L, by rows, with covariance L L^T.
  std::vector<double> factor = {};
  double log_density = 0;  ///< at the mode

  std::size_t size() const { return mode.size(); }
  /// x = mode + L z.
  void place(std::span<const double> z, std::span<double> x) const;
  /// The gradient by z, given that by x: L^T g.
  void pull_back(std::span<const double> gradient, std::span<double> result) const;
};

inline constexpr std::size_t kMostApproximated = 500;  // parameters

/// Climbs from `start` to a mode by L-BFGS, or as near to one as it comes. Nothing if it is stopped, or if the density
/// is not finite there.
std::optional<std::vector<double>> climb(const mcmc::LogDensity& density, std::span<const double> start,
                                         const Stop& stop = {});

/// Variance of one parameter given all others, where the density is that of a Gaussian: by the curvature at `place`,
/// from differences of gradients. Not positive where it does not fall off.
double conditional_variance(const mcmc::LogDensity& density, std::vector<double>& place, std::size_t parameter);

/// Climbs from `start` to a mode by L-BFGS and then by Newton steps, with curvature from differences of gradients.
/// Nothing if it finds no mode with a curvature that falls off in all directions, as where a density grows without
/// bound, or if there are more than kMostApproximated parameters.
std::optional<GaussianApproximation> approximate(const mcmc::LogDensity& density, std::span<const double> start,
                                                 const Stop& stop = {});

}  // namespace fovea::ep
