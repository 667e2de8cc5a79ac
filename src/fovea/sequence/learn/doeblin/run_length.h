// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <cstdint>

#include "fovea/base/error.h"

namespace fovea::sequence {

/// The number of transitions T of a run from which a gradient is estimated, and the weights of its steps: section 4.1
/// of Steinhardt and Liang (2015). With q(t) = P(T >= t), ending after t steps counts for
/// epsilon (1 - epsilon)^t / q(t), which is unbiased for any law with q > 0.
class RunLength {
 public:
  /// q(t) = (1 - epsilon)^t, where every step counts the same. `epsilon` in (0, 1] is the chain's.
  static RunLength geometric(double epsilon) { return {epsilon, epsilon}; }
  /// `rate` in (0, 1), or 1 if epsilon is: runs of 1 / rate - 1 steps on average. With a larger rate than the chain's,
  /// the weights grow with t, and their variance is infinite where (1 - epsilon)^2 >= 1 - rate.
  static RunLength geometric_with_rate(double epsilon, double rate) { return {epsilon, rate}; }

  template <class Random>
  std::uint64_t draw(Random& random) const {
    return quantile(random.threshold(1.0));
  }

  /// The length that a share of all runs, in [0, 1), does not reach.
  std::uint64_t quantile(double share) const {
    return rate_ >= 1 ? 0 : static_cast<std::uint64_t>(std::log1p(-share) / std::log1p(-rate_));
  }

  /// c_t.
  double weight(std::uint64_t t) const {
    if (rate_ == epsilon_) return epsilon_;
    return epsilon_ * std::exp(static_cast<double>(t) * (std::log1p(-epsilon_) - std::log1p(-rate_)));
  }

 private:
  RunLength(double epsilon, double rate) : epsilon_(epsilon), rate_(rate) {
    FOVEA_CHECK(epsilon > 0 && epsilon <= 1 && rate > 0 && (rate < 1 || epsilon == 1));
  }

  double epsilon_, rate_;
};

}  // namespace fovea::sequence
