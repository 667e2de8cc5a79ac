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
      : means(labels * labels), deviations(labels * labels, std::sqrt(variance)), prior_variance(variance) {}

  std::vector<double> means;       ///< [previous label][label]
  std::vector<double> deviations;  ///< the same; all 0 for a draw of a Markov chain
  double prior_variance = 1;

  /// KL(q || prior), nats: equation (33) with |V|^2 subtracted.
  double divergence() const {
    double sum = 0;
    for (std::size_t e = 0; e < means.size(); ++e) {
      const double ratio = deviations[e] * deviations[e] / prior_variance;
      sum += .5 * (ratio + means[e] * means[e] / prior_variance - 1 - std::log(ratio));
    }
    return sum;
  }
};

}  // namespace fovea::gp
