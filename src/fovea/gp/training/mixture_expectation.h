// SPDX-License-Identifier: Apache-2.0
/// Internal to this module: exposes Eigen.
#pragma once

#include "fovea/gp/training/score_estimator.h"
#include "fovea/gp/training/variational_mixture.h"

namespace fovea::gp {

/// One component at the items of consecutive sequences: b and Sigma of equation (18), and the map from gradients with
/// respect to these back to gradients with respect to the component.
class ProjectedComponent {
 public:
  ProjectedComponent(const InferenceProblem& problem, const UnaryGaussian& component, std::size_t begin,
                     std::size_t end);

  /// The Gaussian of a sequence in [begin, end).
  SequenceGaussian at(std::size_t sequence, const PairwisePosterior& pairwise) const;

  /// Adds the gradients of the sequences from `begin` on: weight * sum_n A_n^T d/db_n to the means' gradient, and the
  /// covariances' A_n^T d/dSigma_n A_n to the gradient of S by way of its factor: dL = 2 lower(A_n^T (d/dSigma_n A_n
  /// L)).
  void add_gradient(std::span<const SequenceExpectation> expectations, double weight, UnaryGaussian& gradient) const;

 private:
  const InferenceProblem& problem_;
  const UnaryGaussian& component_;
  std::size_t begin_, end_;
  Index first_, items_;
  RowMatrix means_;                   // items x |V|
  std::vector<LargeColumns> spread_;  // [label] (A L_j)^T, M x items
};

}  // namespace fovea::gp
