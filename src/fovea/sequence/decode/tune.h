// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>

#include "fovea/base/options.h"
#include "fovea/base/run.h"
#include "fovea/sequence/model/label_sequences.h"
#include "fovea/sequence/policy/policy.h"
#include "fovea/sequence/policy/policy_learner.h"
#include "fovea/sequence/policy/round_learner.h"

namespace fovea::sequence {

struct TuneOptions {
  MetaFeatureOptions features = {};
  PolicyLearnerOptions learner = {};
  RoundLearnerOptions rounds = {};
  bool measure = true;

  /// Describes `measure`; the other three describe themselves.
  static void describe(auto&& visit) {
    visit(&TuneOptions::measure,
          option("measure", "Measure the cost and quality of every method, by which option 'method auto' chooses."));
  }
};

/// Learns where to sample, and what each method costs and achieves, on tuning sequences that the model was not trained
/// on. The model is not changed. `gold` ([position], label_count() where unknown) serves only to measure quality.
/// A deadline ends the measuring of methods; it does not shorten the learning before it. Throws UsageError if the
/// sequences hold no tokens.
Policy tune(const LabelSequences& sequences, const Assignment& gold, const TuneOptions& options, const Run& run = {});

}  // namespace fovea::sequence
