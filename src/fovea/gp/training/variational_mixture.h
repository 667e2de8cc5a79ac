// SPDX-License-Identifier: Apache-2.0
/// Internal to this module: exposes Eigen.
#pragma once

#include <span>
#include <vector>

#include "fovea/base/random.h"
#include "fovea/gp/posterior/posteriors.h"

namespace fovea::gp {

/// One component q_k of equation (16), whitened, in the coordinates of gradients: for each label j a mean and S_kj =
/// L_j L_j^T, or S_kj = diag(deviations_j^2). Also the shape of a gradient with respect to them.
struct UnaryGaussian {
  RowMatrix means;                    ///< |V| x M
  std::vector<ColumnMatrix> factors;  ///< [label] L_j, lower, M x M; none if covariances are diagonal
  RowMatrix deviations;               ///< |V| x M; empty if covariances are full

  /// From a posterior that is not a point: takes its covariances or, if `diagonal`, their diagonals.
  static UnaryGaussian of(const UnaryPosterior& posterior, bool diagonal);

  bool is_diagonal() const { return factors.empty(); }
  UnaryGaussian zeros() const;
  /// Converts to a posterior, whose factors are those of precisions.
  UnaryPosterior posterior() const;
};

/// The variational parameters lambda of equations (15) and (16). One pairwise function serves all components.
struct VariationalMixture {
  /// Starts a single component at the prior; several start apart, with random means a tenth of the prior's deviation
  /// from 0.
  VariationalMixture(std::size_t components, std::size_t labels, std::size_t points, bool diagonal,
                     double pairwise_variance, Random random);
  /// Starts from a posterior of Gaussians.
  VariationalMixture(const MixturePosterior& posterior, bool diagonal);

  std::vector<double> weights;  ///< pi_k, sum to 1
  std::vector<UnaryGaussian> components;
  PairwisePosterior pairwise;

  MixturePosterior posterior() const;

  /// Everything except the pairwise function as one vector without constraints: logits of the weights if there are
  /// several, then for each component the means and the covariances, diagonals of L_j and deviations by their
  /// logarithms.
  std::vector<double> packed() const;
  void unpack(std::span<const double> x);
};

/// Gradient of some function with respect to weights and components, in linear coordinates.
struct MixtureGradient {
  explicit MixtureGradient(const VariationalMixture& mixture);
  std::vector<double> weights;
  std::vector<UnaryGaussian> components;

  /// Converts to the coordinates of packed().
  void pack(const VariationalMixture& at, std::span<double> out) const;
};

/// Minus the divergence from the prior, -KL(q(u) || p(u)), equations (34) to (36), nats; adds its gradient, equations
/// (48) to (52) and the one for the weights. Exact for one component; for several it uses the lower bound of the
/// entropy by Jensen's inequality, equation (35). O(K^2 |V| M^3), or O(|V| M^2) for one component; without the M^2 or M
/// if covariances are diagonal.
double add_negative_divergence(const VariationalMixture& mixture, MixtureGradient& gradient);

}  // namespace fovea::gp
