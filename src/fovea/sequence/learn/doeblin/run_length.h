// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <cstdint>

#include "fovea/base/error.h"

namespace fovea::sequence {

/// The number of transitions T of a run from which a gradient is estimated: that of the chain between two restarts,
/// P(T >= t) = (1 - epsilon)^t, so that ending after t steps counts for epsilon at any t (Steinhardt and Liang 2015,
/// algorithm 1).
class RunLength {
 public:
  /// `epsilon` in (0, 1] is the chain's.
  static RunLength geometric(double epsilon) { return RunLength(epsilon); }

  template <class Random>
  std::uint64_t draw(Random& random) const {
    return quantile(random.threshold(1.0));
  }

  /// The length that a share of all runs, in [0, 1), does not reach.
  std::uint64_t quantile(double share) const {
    return epsilon_ >= 1 ? 0 : static_cast<std::uint64_t>(std::log1p(-share) / std::log1p(-epsilon_));
  }

  double epsilon() const { return epsilon_; }

 private:
  explicit RunLength(double epsilon) : epsilon_(epsilon) { FOVEA_CHECK(epsilon > 0 && epsilon <= 1); }

  double epsilon_;
};

}  // namespace fovea::sequence
