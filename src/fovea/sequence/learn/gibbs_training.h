// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "fovea/base/random.h"
#include "fovea/sequence/learn/crf_features.h"
#include "fovea/sequence/learn/training_set.h"

namespace fovea::sequence {

struct GibbsTrainingOptions {
  int sweeps = 8;   ///< of all tokens of a sequence, for one gradient
  int burn_in = 5;  ///< of those, the first that are not averaged; < sweeps
  double learning_rate = .2;
  double delta = 1e-4;  ///< of AdaGrad
  double l2 = 0;        ///< of the whole training set; each sequence carries its share
};

/// Training at any factor size as in Shi, Steinhardt, Liang 2015, section 5.1: AdaGrad along Gibbs estimates of the
/// gradient (GibbsGradient), one sequence at a time in random order. One thread; deterministic given `random`.
class GibbsTraining {
 public:
  /// All must outlive the object; x holds the parameters: first the start, then the result.
  GibbsTraining(const TrainingSet& set, const CrfFeatures& features, std::span<float> x,
                const GibbsTrainingOptions& options, std::vector<float> squares = {});
  ~GibbsTraining();

  /// One pass over the training set; ends early once should_stop() is true. Returns the share of sampled labels (after
  /// burn-in) that differ from the known ones.
  double pass(Random random, const std::function<bool()>& should_stop = {});

  /// The sums of squared gradients: together with x, all that a later GibbsTraining needs to continue.
  std::span<const float> squares();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace fovea::sequence
