// SPDX-License-Identifier: Apache-2.0
/// For the sources of this module alone: shows Eigen.
#pragma once

#include "fovea/gp/training/score_estimator.h"

namespace fovea::gp {

/// What ScoreEstimator estimates, for likelihoods with derivatives: at draws f = mean + C z, in antithetic pairs, the
/// gradients are those of these draws (Kingma, Welling (2014)), and with the same draws they are the derivatives of the
/// value, exactly.
///
/// Thread-safe.
class PathwiseEstimator {
 public:
  /// The first must outlive this. `draws`: even.
  PathwiseEstimator(const InferenceProblem& problem, std::size_t draws, Random random);

  /// Without the members for the pairwise function. The same draws for every q of a sequence and component.
  SequenceExpectation estimate(std::size_t sequence, const SequenceGaussian& q, std::size_t component) const;

 private:
  const InferenceProblem& problem_;
  std::size_t draws_;
  Random random_;
};

}  // namespace fovea::gp
