// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "fovea/base/random.h"
#include "fovea/sequence/learn/crf_features.h"
#include "fovea/sequence/learn/doeblin/doeblin_runs.h"
#include "fovea/sequence/learn/training_set.h"

namespace fovea::sequence {

struct DoeblinTrainingOptions {
  double restart_rate = .25;  ///< epsilon, in (0, 1]; 1 / epsilon - 1 sweeps follow a restart on average
  int runs = 16;              ///< of the chain, for one gradient
  bool stratified = true;     ///< stratified lengths, and advantages as credit; else as in the paper
  double learning_rate = .1;
  double l2 = 0;  ///< of the whole training set; each sequence carries its share
};

/// The likelihood of known labels under the chain's stationary law, as estimated in the course of a pass.
struct LikelihoodEstimate {
  double mean_log = 0;  ///< of a token; the log of each sequence's mean mass, which is biased low
  double error = 0;     ///< standard error of mean_log, by the delta method
  std::uint64_t transitions = 0;
  double best_restart_rate = 1;  ///< for the likelihood gained per sweep, estimated from the runs of the pass
};

/// Trains a tagger through the chain that will be used (Steinhardt and Liang 2015, section 4): maximises the likelihood
/// of the labels under the stationary law of TaggerChains with restarts, by AdaGrad along DoeblinRuns, one sequence at
/// a time in random order. One thread; deterministic given `random`.
class DoeblinTraining {
 public:
  /// All must outlive the object; x holds the parameters: first the start, then the result. The best start is that of u
  /// alone, with 0 for n-grams of more than two labels. Every item needs a label.
  DoeblinTraining(const TrainingSet& set, const CrfFeatures& features, std::span<float> x,
                  const DoeblinTrainingOptions& options, std::vector<float> squares = {});
  ~DoeblinTraining();

  /// Sets the rate of the following passes.
  void set_restart_rate(double epsilon);

  /// One pass over the training set; ends early once should_stop() is true.
  LikelihoodEstimate pass(Random random, const std::function<bool()>& should_stop = {});

  /// The sums of squared gradients: together with x, all that a later DoeblinTraining needs to continue.
  std::span<const float> squares();

 private:
  class State;
  std::unique_ptr<State> state_;
};

}  // namespace fovea::sequence
