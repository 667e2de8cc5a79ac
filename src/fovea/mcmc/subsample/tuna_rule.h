// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>

#include "fovea/mcmc/subsample/factor_change.h"
#include "fovea/mcmc/target_law.h"

namespace fovea::mcmc {

/// TunaMH (Zhang, Cooper and De Sa 2020, "Asymptotically optimal exact minibatch Metropolis-Hastings", algorithm 1):
/// exact with a random batch of expected size L + chi L^2, where L = N bound().
///
/// Each factor enters the batch s_j ~ Poisson(phi_j) times, phi_j = (bound (1 + 2 chi L) - difference_j) / 2; given all
/// s_j, the ratio of p(y') prod_j phi_j(y', y)^s_j e^-phi_j to the same of y is
/// exp(2 sum_j s_j artanh(difference_j / (bound (1 + 2 chi L)))). All phi_j come from one Poisson draw by thinning.
/// (The paper writes energies, whose differences are ours with the opposite sign.)
///
/// A larger chi gives larger batches and ratios nearer to the exact one. If a batch would not be smaller than N, all
/// factors are taken; L and N are the same for the reverse proposal, so this is exact, too.
class TunaRule {
 public:
  using TargetLaw = Invariant;

  /// `chi` > 0.
  explicit TunaRule(double chi) : chi_(chi) {}

  /// L + chi L^2.
  double expected_batch(std::size_t size, double bound) const {
    const double total = static_cast<double>(size) * bound;
    return total + chi_ * total * total;
  }

  template <BoundedChange Change, class Random>
  Decision decide(const Change& change, double log_proposal_ratio, Random& random) {
    const std::size_t size = change.size();
    const double bound = change.bound(), batch = expected_batch(size, bound);
    if (batch >= static_cast<double>(size))
      return {accepts(total_difference(change) + log_proposal_ratio, random), size};
    const double reach = bound * (1 + 2 * chi_ * static_cast<double>(size) * bound);
    const std::uint64_t candidates = random.poisson(batch);
    double log_ratio = log_proposal_ratio;
    for (std::uint64_t i = 0; i < candidates; ++i) {
      const double difference = change.difference(random.uniform_index(static_cast<std::uint32_t>(size)));
      if (random.bernoulli((reach - difference) / (reach + bound))) log_ratio += 2 * std::atanh(difference / reach);
    }
    return {accepts(log_ratio, random), static_cast<std::size_t>(candidates)};
  }

 private:
  double chi_;
};

}  // namespace fovea::mcmc
