// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "fovea/base/options.h"
#include "fovea/base/run.h"
#include "fovea/sequence/model/label_sequences.h"
#include "fovea/sequence/policy/policy_learner.h"

namespace fovea::sequence {

struct PolicyChoiceOptions {
  int seeds = 3;

  static void describe(auto&& visit) {
    visit(&PolicyChoiceOptions::seeds,
          number_in(1, 1000, "policy-seeds",
                    "Number of times that the value function is learned, with each horizon, from other random numbers; "
                    "the one that gains most on sequences kept aside is taken. 1: once, from all sequences."));
  }
};

/// Gain of an order of visits over cyclic order: log p of the best labeling after it minus that after as many visits
/// in cyclic order, in nats a token. Mean over budgets of 1.5, 2, 3 and 4 sweeps from the same random labels.
struct OrderGain {
  double mean = 0;
  double error = 0;  ///< standard error over the sequences
};

/// Measures the paper's schedule, a queue by the value function, against cyclic Gibbs sampling.
OrderGain gain_over_cyclic(const LabelSequences& sequences, const ValueFunction& value,
                           const MetaFeatureOptions& features, const Random& random);

struct ChosenPolicy {
  ValueFunction value = ValueFunction();
  int horizon = 0;                 ///< with which it was learned
  OrderGain gain = {};             ///< on the sequences kept aside
  std::vector<double> tried = {};  ///< the mean gains of all candidates, in the order of learning
};

/// Learns a value function several times, with horizon 0 and, if that is more, options.horizon, on four fifths of the
/// sequences (each instance as learn_policy() does, from random labels), and takes the one of largest gain on the fifth
/// left over. Learning can fail: from some seeds, some horizons end far behind cyclic order, and only a look at fresh
/// sequences tells. With one seed or fewer than five sequences, it learns once, with options.horizon, from all of them,
/// and measures on them too. Once the run is cancelled, returns what there is.
ChosenPolicy choose_policy(const LabelSequences& sequences, const MetaFeatureOptions& features,
                           const PolicyLearnerOptions& options, const PolicyChoiceOptions& choice, const Run& run);

}  // namespace fovea::sequence
