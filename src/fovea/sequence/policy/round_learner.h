// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>

#include "fovea/base/options.h"
#include "fovea/base/random.h"
#include "fovea/sequence/policy/round_policy.h"

namespace fovea::sequence {

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

/// What a visit is for, and its reward in nats.
///
/// kBest: setting the site to its best label; the gain of that label.
/// kSample: sampling it, while the best labeling so far is remembered; the gain of the sample and of best labels for
/// its neighbours after it, 0 if that is negative. This is the paper's cumulative reward with H = 1. An expected
/// immediate gain would teach to do nothing: near a good labeling it is negative.
enum class VisitReward { kBest, kSample };

/// Fits a RoundPolicy to the visits of some rounds from the given start. kBest: all sites first, then the sites around
/// those whose best label is another; rewards are expectations given the rest, so one look at each site is enough.
/// kSample: several rounds of samples at all sites in doubt, each looked at with a few samples.
/// `labels` and `doubt` ([position]) are the start; both are left as they were.
RoundPolicy learn_round_policy(const LabelSequences& sequences, const Assignment& labels, std::span<const float> doubt,
                               VisitReward reward, const RoundLearnerOptions& options, Random& random);

}  // namespace fovea::sequence
