// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <concepts>
#include <utility>

#include "fovea/mcmc/subsample/factor_change.h"
#include "fovea/mcmc/subsample/factor_estimates.h"
#include "fovea/mcmc/target_law.h"

namespace fovea::mcmc {

/// Rules that decide a Metropolis-Hastings proposal y -> y':
///
///   rule.decide(change, log_proposal_ratio, random) -> Decision
///
/// with log_proposal_ratio = log q(y | y') - log q(y' | y), which belongs in every ratio (the paper's form for MAP
/// leaves it out). Each rule's TargetLaw states whether p stays stationary. Rules keep scratch memory: use one per
/// thread.

/// Uses all factors: p stays stationary.
class ExactRule {
 public:
  using TargetLaw = Invariant;

  template <FactorChange Change, class Random>
  Decision decide(const Change& change, double log_proposal_ratio, Random& random) {
    return {accepts(total_difference(change) + log_proposal_ratio, random), change.size()};
  }
};

/// Uses all factors by their grouped statistics: the same decisions in fewer reads.
class GroupedRule {
 public:
  using TargetLaw = Invariant;

  template <GroupedChange Change, class Random>
  Decision decide(const Change& change, double log_proposal_ratio, Random& random) {
    const GroupedSum grouped = change.grouped();
    return {accepts(grouped.sum + log_proposal_ratio, random), grouped.factors, grouped.lookups};
  }
};

/// Monte Carlo MCMC (Singh, Wick and McCallum 2012): an estimate of the sum takes the place of the sum. The exp of an
/// unbiased estimate is biased, so p is only nearly stationary; the estimator's options determine how nearly.
template <class Estimator>
class EstimateRule {
 public:
  using TargetLaw = Approximate;

  explicit EstimateRule(Estimator estimator) : estimator_(std::move(estimator)) {}

  template <FactorChange Change, class Random>
  Decision decide(const Change& change, double log_proposal_ratio, Random& random) {
    const SumEstimate estimate = estimator_.estimate(change, random);
    return {accepts(estimate.sum + log_proposal_ratio, random), estimate.factors};
  }

 private:
  Estimator estimator_;
};

}  // namespace fovea::mcmc
