// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>

#include "fovea/base/options.h"
#include "fovea/base/random.h"
#include "fovea/base/run_control.h"
#include "fovea/sequence/policy/pair_classes.h"
#include "fovea/sequence/policy/round_policy.h"
#include "fovea/sequence/policy/value_function.h"

namespace fovea::sequence {

struct RoundLearnerOptions {
  int epochs = 8;
  double rate = 0.2;

  static void describe(auto&& visit) {
    using O = RoundLearnerOptions;
    visit(&O::epochs, number_in(1, 1000, "round-epochs", "Number of passes over the visits seen."));
    visit(&O::rate, number_in(1e-6, 100, "round-rate", "AdaGrad's eta for rounds."));
  }
};

/// Purpose of a visit, and its reward in nats.
///
/// kBest: to set the site to its best label. The reward is the gain of that label.
/// kSample: to sample the site, while the best labeling so far is remembered. The reward is the gain of the sample and
/// of the best labels for its neighbours after it, or 0 if that is negative. This is the paper's cumulative reward with
/// H = 1. An expected immediate gain would teach the policy to do nothing: near a good labeling it is negative.
enum class VisitReward { kBest, kSample };

/// Sequences from which rounds are learned, and the start: `labels` and `doubt`, both [position]. All must outlive the
/// call that takes it.
struct RoundTask {
  const LabelSequences* sequences = nullptr;
  const Assignment* labels = nullptr;
  std::span<const float> doubt = {};
};

/// Rule that rounds learn from pairs in classes: it makes a RoundPolicy for any model whose pairs are in such classes.
struct RoundRule {
  ValueFunction value = ValueFunction();  ///< alpha: doubts, classes of the left, those of the right, changed
  GainCalibration calibration = {};

  RoundPolicy policy(std::size_t label_count, const PairClasses& classes) const;
};

/// Fits a rule to the visits of some rounds from the given starts. The pairs of every task are in classes of its own
/// (`classes` has as many members as `tasks`), equally many in all.
///
/// kBest: visits all sites, then the sites around those whose label changed. Rewards are expectations given the rest,
/// so one look at each site is enough.
/// kSample: makes several rounds over all sites in doubt, with a few samples for each.
///
/// Gains are calibrated by what the visits of one half of the sequences gained at the scores that weights learned from
/// the other half give them.
///
/// Once `cancel` is cancelled, it returns with what little it has learned.
RoundRule learn_round_rule(std::span<const RoundTask> tasks, std::span<const PairClasses> classes, VisitReward reward,
                           const RoundLearnerOptions& options, Random& random, const CancelToken* cancel = nullptr);

/// The same for one model, in which each pair of labels is a class.
RoundPolicy learn_round_policy(const RoundTask& task, VisitReward reward, const RoundLearnerOptions& options,
                               Random& random, const CancelToken* cancel = nullptr);

}  // namespace fovea::sequence
