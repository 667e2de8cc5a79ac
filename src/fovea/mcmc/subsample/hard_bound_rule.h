// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>

#include "fovea/mcmc/subsample/factor_change.h"
#include "fovea/mcmc/target_law.h"

namespace fovea::mcmc {

/// Draws log u first, then looks at factors until the remaining ones, each at most bound() in absolute value, can no
/// longer change the side of the threshold on which the sum lies: the decisions of ExactRule with the same u. A change
/// that knows a bound for each factor stops the earlier the sooner the large ones come.
class HardBoundRule {
 public:
  using TargetLaw = Invariant;

  template <BoundedChange Change, class Random>
  Decision decide(const Change& change, double log_proposal_ratio, Random& random) {
    const double threshold = -random.exponential() - log_proposal_ratio;  // log u - log_proposal_ratio
    const std::size_t size = change.size();
    double sum = 0;
    for (std::size_t j = 0; j < size;) {
      const double rest = bound_of_rest(change, j);
      if (sum - rest > threshold) return {true, j};
      if (sum + rest <= threshold) return {false, j};
      const FactorRange next{j, std::min(j + kBetweenLooks, size)};
      sum += sum_of_differences(change, next);
      j = next.end;
    }
    return {sum > threshold, size};
  }

 private:
  template <class Change>
  static double bound_of_rest(const Change& change, std::size_t j) {
    if constexpr (RestBoundedChange<Change>) return change.rest_bound(j);
    else return change.bound() * static_cast<double>(change.size() - j);
  }

  static constexpr std::size_t kBetweenLooks = 32;  // factors, which cost several times as much as a look
};

}  // namespace fovea::mcmc
