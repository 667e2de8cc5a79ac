// SPDX-License-Identifier: Apache-2.0
/// Internal to this module: exposes Eigen.
#pragma once

#include "fovea/gp/training/score_estimator.h"

namespace fovea::gp {

/// Estimates the same as ScoreEstimator, for likelihoods with derivatives. At draws f = mean + C z, in antithetic
/// pairs, the gradients are those of these draws (Kingma, Welling (2014)); with the same draws they are exactly the
/// derivatives of the value.
///
/// Thread-safe.
class PathwiseEstimator {
 public:
  /// `problem` must outlive this. `draws`: even.
  PathwiseEstimator(const InferenceProblem& problem, std::size_t draws, Random random);

  /// Leaves the members for the pairwise function empty. Uses the same draws for every q of a sequence and component.
  SequenceExpectation estimate(std::size_t sequence, const SequenceGaussian& q, std::size_t component) const;

 private:
  const InferenceProblem& problem_;
  std::size_t draws_;
  Random random_;
};

}  // namespace fovea::gp
