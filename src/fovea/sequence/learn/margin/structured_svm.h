// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "fovea/sequence/learn/crf/crf_trainer.h"
#include "fovea/sequence/learn/training_set.h"

namespace fovea::sequence {

/// Trains chains of label pairs as structured support vector machines (margin/margin_dual.h): the aim is not a
/// probability, but that the truth outscores every other labeling by at least the number of its wrong labels. The
/// result has the form and the features of a CRF; its scores are not those of a probability, so marginals computed from
/// them mean little.
///
/// The CrfTrainerOptions that apply are l2 (> 0), factor_size (1 or 2), iterations (the maximum number of passes; 0:
/// 1000), gap_tolerance, cut_off and all_features. Stops where gap <= gap_tolerance * objective, by a certificate for
/// the weights returned: the objective is at most that much above its minimum. Stateless; thread-safe.
class StructuredSvmTrainer {
 public:
  /// Throws UsageError where the options contradict themselves, or one that does not apply differs from its default.
  explicit StructuredSvmTrainer(CrfTrainerOptions options);

  /// The hooks that apply are observer (every few passes, with objective and gap) and dev_score. Stopped early, it
  /// returns the weights reached so far. The result is the same to the bit at any number of threads. Throws UsageError
  /// where there is nothing to train on, or a label is unknown.
  CrfTrainer::Result train(const TrainingSet& set, const Run& run = {}, const TrainingHooks& hooks = {}) const;

 private:
  CrfTrainerOptions options_;
};

}  // namespace fovea::sequence
