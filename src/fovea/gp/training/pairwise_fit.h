// SPDX-License-Identifier: Apache-2.0
/// Internal to this module: exposes Eigen.
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "fovea/gp/training/expectations.h"
#include "fovea/optimize/lbfgs.h"

namespace fovea::gp {

/// Gaussian factors exp(linear f - precision f^2 / 2), one for each entry of the pairwise function.
struct PairwiseFactors {
  std::vector<double> precision, linear;

  /// Factors of a posterior's prior.
  static PairwiseFactors prior_of(const PairwisePosterior& posterior);
  /// Factors of the posterior itself.
  static PairwiseFactors of(const PairwisePosterior& posterior);
  PairwiseFactors& operator-=(const PairwiseFactors& other);
};

/// <log p> under the pairwise function's posterior; writes its derivatives with respect to means and log deviations.
using PairwiseExpectation = std::function<double(const PairwisePosterior& posterior, std::span<double> means,
                                                 std::span<double> log_deviations)>;

/// Moves `posterior` to the maximum of <log p> - KL(posterior || others), by L-BFGS; `others` is the prior times the
/// factors of other sequences. Natural gradients would oscillate here: if all labels are equally likely, a Newton step
/// overshoots. `go_on` is called at every iteration and may end the fit.
void fit_pairwise(const PairwiseExpectation& expected, const PairwiseFactors& others,
                  const optimize::LbfgsOptions& options, PairwisePosterior& posterior,
                  const std::function<bool()>& go_on);
/// The same over the sequences of `expected`, by this many iterations.
void fit_pairwise(const ExpectedLikelihood& expected, const PairwiseFactors& others, int iterations,
                  PairwisePosterior& posterior);

}  // namespace fovea::gp
