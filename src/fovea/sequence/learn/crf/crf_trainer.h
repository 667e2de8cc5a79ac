// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <string>

#include "fovea/base/options.h"
#include "fovea/base/run.h"
#include "fovea/base/words.h"
#include "fovea/optimize/iteration.h"
#include "fovea/sequence/learn/crf_weights.h"
#include "fovea/sequence/learn/train_summary.h"
#include "fovea/sequence/learn/training_set.h"

namespace fovea::sequence {

/// What the gradient of training is of.
enum class CrfGradient { kAuto, kExact, kPseudo, kGibbs, kDoeblin };
constexpr auto words_of(CrfGradient) {
  using enum CrfGradient;
  return std::array{Word{kAuto, "auto"}, Word{kExact, "exact"}, Word{kPseudo, "pseudo"}, Word{kGibbs, "gibbs"},
                    Word{kDoeblin, "doeblin"}};
}

/// By which steps training descends.
enum class CrfOptimizer { kAuto, kLbfgs, kRprop, kAdagrad };
constexpr auto words_of(CrfOptimizer) {
  using enum CrfOptimizer;
  return std::array{Word{kAuto, "auto"}, Word{kLbfgs, "lbfgs"}, Word{kRprop, "rprop"}, Word{kAdagrad, "adagrad"}};
}

/// How to train a linear-chain CRF; seed and threads are the Run's.
struct CrfTrainerOptions {
  int factor_size = 2;
  double l2 = 1;
  double l1 = 0;
  CrfGradient gradient = CrfGradient::kAuto;
  CrfOptimizer optimizer = CrfOptimizer::kAuto;
  int iterations = 0;
  double tolerance = 1e-4;
  double epsilon = 1e-5;
  int start_passes = 3;
  double learning_rate = 0;
  int gibbs_sweeps = 8;
  int gibbs_burn_in = 5;
  double restart_rate = 0;
  int runs = 16;
  bool stratified = true;
  double gap_tolerance = .01;
  int cut_off = 1;
  bool all_features = false;

  template <class V>
  static void describe(V&& visit) {
    using O = CrfTrainerOptions;
    visit(&O::factor_size, OptionInfo{"factor-size",
                                      "labels per factor: 2 scores label pairs, 4 label n-grams up to four "
                                      "(the order of the chain is one less)",
                                      1, kMaxFactorSize});
    visit(&O::l2,
          OptionInfo{"l2",
                     "weight of the penalty l2 * |w|^2 on the sum of -log p(y | x), or of margins missed (C of an "
                     "SVM, which weighs their sum, is 1 / (2 l2))",
                     0});
    visit(&O::l1, OptionInfo{"l1", "weight of the penalty l1 * |w|_1 (OWL-QN)", 0});
    visit(&O::gradient,
          OptionInfo{.name = "gradient",
                     .description = "exact likelihood, pseudo-likelihood, or estimated by Gibbs sampling; doeblin: of "
                                    "the stationary law of Gibbs sweeps with restarts from the chain of label pairs; "
                                    "auto: exact where label histories are few, else gibbs"});
    visit(&O::optimizer,
          OptionInfo{.name = "optimizer",
                     .description = "auto: a stochastic start, then preconditioned L-BFGS (or AdaGrad for "
                                    "gibbs); lbfgs: from scratch, no preconditioner"});
    visit(&O::iterations,
          OptionInfo{"iterations",
                     "iterations at most; 0: 1000, which are passes for an SVM, or 5 passes for gibbs and doeblin", 0});
    visit(&O::tolerance, OptionInfo{"tolerance",
                                    "stop when the objective fell by at most tolerance * objective over the "
                                    "last 10 iterations; 0: never",
                                    0, 1});
    visit(&O::epsilon, OptionInfo{"epsilon", "stop when |gradient| <= epsilon * max(1, |w|); 0: never", 0});
    visit(&O::start_passes, OptionInfo{"start-passes", "stochastic passes before L-BFGS; 0: none", 0, 1000});
    visit(&O::learning_rate,
          OptionInfo{"learning-rate", "of stochastic steps; 0: found by trial, 0.2 for gibbs, 0.1 for doeblin", 0});
    visit(&O::gibbs_sweeps, OptionInfo{"gibbs-sweeps", "sweeps over a sequence for one gradient", 1, 1000000});
    visit(&O::gibbs_burn_in, OptionInfo{"gibbs-burn-in", "of those, sweeps not averaged; < gibbs-sweeps", 0, 1000000});
    describe_doeblin(visit);
    visit(&O::gap_tolerance,
          OptionInfo{"gap-tolerance",
                     "svm: stop when the objective is at most gap-tolerance * objective above its minimum, as the dual "
                     "proves; 0: never",
                     0, 1});
    visit(&O::cut_off, OptionInfo{"cut-off", "attributes at fewer items than this are dropped", 1});
    visit(&O::all_features, OptionInfo{"all-features", "a weight for every attribute and label, seen together or not"});
  }

 private:
  template <class V>
  static void describe_doeblin(V&& visit) {
    using O = CrfTrainerOptions;
    visit(&O::restart_rate,
          OptionInfo{"restart-rate",
                     "doeblin: the probability of a restart, after which 1 / rate - 1 sweeps follow in the mean; 0: "
                     "learned, for the likelihood gained per sweep",
                     0, 1});
    visit(&O::runs, OptionInfo{"runs", "doeblin: runs of the chain for one gradient", 2, 100000});
    visit(&O::stratified, OptionInfo{"stratified",
                                     "doeblin: run lengths from all parts of their law, and credit for what a draw has "
                                     "over the other runs; without, the paper's estimator, which varies more"});
  }
};

/// What a caller may ask of a training besides weights. All optional.
struct TrainingHooks {
  optimize::IterationObserver observer = {};                ///< after every iteration or pass; false stops
  std::function<double(const CrfWeights&)> dev_score = {};  ///< put into the records ...
  int dev_every = 10;                                       ///< ... of every dev_every-th iteration, and every pass
  std::string checkpoint_path = "";                         ///< where to keep the state of training
  double checkpoint_seconds = 60;                           ///< at least this long between two writes
  std::string resume_path = "";                             ///< a checkpoint to go on from
};

/// Trains linear-chain CRFs of any factor size. Stateless; thread-safe.
class CrfTrainer {
 public:
  /// Throws UsageError where the options contradict themselves.
  explicit CrfTrainer(CrfTrainerOptions options);

  struct Result {
    CrfWeights weights;
    TrainSummary summary;
  };

  /// Trains on `set` (to which the cut-off has been applied) from `warm_start`, or from zero. Stopped early, it returns
  /// the weights reached so far. The same to the bit at any number of threads, and when resumed from a checkpoint.
  /// Throws UsageError where set and options do not fit, InputError for a checkpoint that is damaged or belongs to
  /// another training.
  Result train(const TrainingSet& set, const Run& run = {}, const TrainingHooks& hooks = {},
               const CrfWeights* warm_start = nullptr) const;

  const CrfTrainerOptions& options() const { return options_; }

 private:
  CrfTrainerOptions options_;
};

}  // namespace fovea::sequence
