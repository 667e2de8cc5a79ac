// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>

#include "fovea/base/options.h"
#include "fovea/base/random.h"
#include "fovea/policy/round_policy.h"

namespace fovea {

struct RoundLearnerOptions {
  int epochs = 8;
  double rate = 0.2;

  template <class V>
  static void describe(V&& visit) {
    using O = RoundLearnerOptions;
    visit(&O::epochs,
          OptionInfo{.name = "round-epochs", .description = "passes over the visits seen", .min = 1, .max = 1000});
    visit(&O::rate, OptionInfo{.name = "round-rate", .description = "AdaGrad's eta", .min = 1e-6, .max = 100});
  }
};

/// What a visit is expected to gain, in nats: the mean over the Gibbs kernel's choices, or the best label's gain.
enum class VisitReward { kMean, kBest };

/// Fits a RoundPolicy to the visits of two rounds from the given start: all sites first, then the sites around those
/// whose best label is another. Rewards are expectations given the rest, so one look at each site is enough.
/// `labels` and `doubt` ([position]) are the start; both are left as they were.
RoundPolicy learn_round_policy(const Chains& chains, const Assignment& labels, std::span<const float> doubt,
                               VisitReward reward, const RoundLearnerOptions& options, Random& random);

}  // namespace fovea
