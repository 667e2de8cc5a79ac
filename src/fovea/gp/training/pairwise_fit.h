// SPDX-License-Identifier: Apache-2.0
/// For the sources of this module alone: shows Eigen.
#pragma once

#include <vector>

#include "fovea/gp/training/expectations.h"

namespace fovea::gp {

/// Gaussian factors exp(linear f - precision f^2 / 2), one for each entry of the pairwise function.
struct PairwiseFactors {
  std::vector<double> precision, linear;

  /// The prior of a posterior.
  static PairwiseFactors prior_of(const PairwisePosterior& posterior);
  /// The posterior itself.
  static PairwiseFactors of(const PairwisePosterior& posterior);
  PairwiseFactors& operator-=(const PairwiseFactors& other);
};

/// Moves `posterior` to where <log p> - KL(posterior || others), over the sequences of `expected`, is highest, by some
/// iterations of L-BFGS; `others` is the prior, times what other sequences say. Natural gradients would oscillate here:
/// where all labels are equally likely, a Newton step overshoots.
void fit_pairwise(const ExpectedLikelihood& expected, const PairwiseFactors& others, int iterations,
                  PairwisePosterior& posterior);

}  // namespace fovea::gp
