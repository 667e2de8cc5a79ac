// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <cstddef>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "fovea/base/random.h"

namespace fovea::ep {

/// The values of many draws, columns[slot][draw]: all columns are equally long.
using DrawColumns = std::span<const std::vector<double>>;

/// A factor over a child and its parents as the user supplies it: how the child is drawn, or its probability.
struct FactorFunctions {
  std::string name;
  /// Draws the child given its parents; a deterministic function if no chance is involved.
  std::function<double(std::span<const double> parents, Random& random)> sample = {};
  /// log p(child | parents), up to a constant; values are the child's and then its parents'. -inf for impossible
  /// values.
  std::function<double(std::span<const double> values)> log_density = {};
  /// The same functions for many draws at once, where a call is expensive. They write one result per draw. A function
  /// of many draws may be given alone: with_single_draws adds the form for one.
  std::function<void(DrawColumns parents, Random& random, std::span<double> children)> sample_many = {};
  std::function<void(DrawColumns values, std::span<double> results)> log_density_many = {};
  /// Approximate children without chance, for less than `sample` costs (recall/recalled_function.h). child_variance: of
  /// what else is known of the child, 0 if nothing is; the more, the less an error matters. Returns the expected error
  /// of the parents' marginals, as a divergence.
  std::function<double(DrawColumns parents, double child_variance, Random& random, std::span<double> children)>
      approximate_many = {};
};

/// The same functions; those that are given for many draws alone are there for one draw, too.
FactorFunctions with_single_draws(FactorFunctions functions);

/// Nodes and weights with E[f(z)] = sum_k weights[k] f(nodes[k]) for z ~ N(0, 1) and polynomials f of degree up to
/// 2 size - 1, from the eigenvalues of the three-term recurrence (Golub and Welsch 1969). O(size^3).
struct GaussHermite {
  explicit GaussHermite(std::size_t size);
  std::vector<double> nodes, weights;
};

/// Integrals over a density on the real line.
struct LineMoments {
  double log_mass = 0;  ///< log of the integral of exp(log_density)
  double mean = 0, variance = 0;
  std::size_t evaluations = 0;
  bool has_converged = false;  ///< else the density is not integrable, or its peaks are too narrow to be found
};

/// Integrates by the trapezoid rule on steps that are halved until the moments agree to 1e-11. For analytic densities
/// that fall off at both ends the error falls exponentially in the number of steps. `centre` and `width` say where to
/// look first: mass must lie within some widths of the centre, on one peak or on several, each at least a thousandth of
/// a width wide. log_density may be -inf, but not NaN.
LineMoments integrate_line(const std::function<double(double)>& log_density, double centre, double width);

/// The same for a Gaussian density times a function that changes only around 0, within some tens of it, if the Gaussian
/// (`centre`, `deviation` > 1, at most 1e150) is far wider. Uses the trapezoid rule in asinh of the number.
LineMoments integrate_wide(const std::function<double(double)>& log_density, double centre, double deviation);

}  // namespace fovea::ep
