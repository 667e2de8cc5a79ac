// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <cstddef>
#include <vector>

namespace fovea::gp {

/// q of the pairwise function, |V|^2 scores: independent Gaussians; the prior is N(0, prior_variance) for each.
struct PairwisePosterior {
  PairwisePosterior() = default;
  PairwisePosterior(std::size_t labels, double variance)
      : means(labels * labels), log_deviations(labels * labels, .5 * std::log(variance)), prior_variance(variance) {}

  std::vector<double> means;           ///< [previous label][label]
  std::vector<double> log_deviations;  ///< of the standard deviations
  double prior_variance = 1;

  /// KL(q || prior), nats: equation (33) with |V|^2 subtracted.
  double divergence() const {
    double sum = 0;
    for (std::size_t e = 0; e < means.size(); ++e) {
      const double variance = std::exp(2 * log_deviations[e]);
      sum +=
          .5 * ((variance + means[e] * means[e]) / prior_variance - 1 + std::log(prior_variance)) - log_deviations[e];
    }
    return sum;
  }
};

}  // namespace fovea::gp
