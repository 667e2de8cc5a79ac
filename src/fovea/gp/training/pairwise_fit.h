// SPDX-License-Identifier: Apache-2.0
/// For the sources of this module alone: shows Eigen.
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

  /// The prior of a posterior.
  static PairwiseFactors prior_of(const PairwisePosterior& posterior);
  /// The posterior itself.
  static PairwiseFactors of(const PairwisePosterior& posterior);
  PairwiseFactors& operator-=(const PairwiseFactors& other);
};

/// <log p> under the pairwise function's posterior; writes its derivatives by means and log deviations.
using PairwiseExpectation = std::function<double(const PairwisePosterior& posterior, std::span<double> means,
                                                 std::span<double> log_deviations)>;

/// Moves `posterior` to where <log p> - KL(posterior || others) is highest, by L-BFGS; `others` is the prior, times
/// what other sequences say. Natural gradients would oscillate here: where all labels are equally likely, a Newton step
/// overshoots. `go_on`, asked at every iteration, may end it.
void fit_pairwise(const PairwiseExpectation& expected, const PairwiseFactors& others,
                  const optimize::LbfgsOptions& options, PairwisePosterior& posterior,
                  const std::function<bool()>& go_on);
/// The same over the sequences of `expected`, by some iterations.
void fit_pairwise(const ExpectedLikelihood& expected, const PairwiseFactors& others, int iterations,
                  PairwisePosterior& posterior);

}  // namespace fovea::gp
