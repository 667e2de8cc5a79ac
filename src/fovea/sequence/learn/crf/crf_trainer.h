// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "fovea/base/options.h"
#include "fovea/base/run.h"
#include "fovea/base/words.h"
#include "fovea/optimize/iteration.h"
#include "fovea/sequence/learn/crf_weights.h"
#include "fovea/sequence/learn/train_summary.h"
#include "fovea/sequence/learn/training_set.h"

namespace fovea::sequence {

/// Gradient that training follows.
enum class CrfGradient { kAuto, kExact, kPseudo, kGibbs, kDoeblin };
constexpr auto words_of(CrfGradient) {
  using enum CrfGradient;
  return std::array{Word{kAuto, "auto"}, Word{kExact, "exact"}, Word{kPseudo, "pseudo"}, Word{kGibbs, "gibbs"},
                    Word{kDoeblin, "doeblin"}};
}

/// Method by which training descends.
enum class CrfOptimizer { kAuto, kLbfgs, kRprop, kAdagrad };
constexpr auto words_of(CrfOptimizer) {
  using enum CrfOptimizer;
  return std::array{Word{kAuto, "auto"}, Word{kLbfgs, "lbfgs"}, Word{kRprop, "rprop"}, Word{kAdagrad, "adagrad"}};
}

/// Options for training a linear-chain CRF; seed and threads are those of the Run.
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
  double adagrad_delta = 1e-4;
  int gibbs_sweeps = 8;
  int gibbs_burn_in = 5;
  double restart_rate = 0;
  int runs = 16;
  bool stratified = true;
  std::optional<double> gap_tolerance = {};  ///< of an SVM; kGapTolerance if not given
  int cut_off = 1;
  bool all_features = false;

  static constexpr double kGapTolerance = .01;

  /// Rules for stopping L-BFGS.
  optimize::StoppingOptions stopping() const {
    return {.max_iterations = iterations > 0 ? iterations : 1000,
            .gradient_tolerance = epsilon,
            .decrease_tolerance = tolerance};
  }

  static void describe(auto&& visit) {
    using O = CrfTrainerOptions;
    visit(&O::factor_size, number_in(1, kMaxFactorSize, "factor-size",
                                     "Labels per factor: 2 scores label pairs, 4 label n-grams of up to four labels. "
                                     "The order of the chain is one less."));
    visit(&O::l2, number_from(0, "l2",
                              "Weight of the penalty l2 * |w|^2 on the sum of -log p(y | x), or of margins missed by "
                              "an SVM. C of an SVM, which weighs that sum, is 1 / (2 l2)."));
    visit(&O::l1, number_from(0, "l1", "Weight of the penalty l1 * |w|_1 (OWL-QN)."));
    visit(&O::gradient,
          option("gradient",
                 "Gradient of the exact likelihood, of the pseudo-likelihood, or estimated by Gibbs sampling. doeblin "
                 "takes that of the stationary law of Gibbs sweeps with restarts from the chain of label pairs; auto "
                 "takes exact where label histories are few, else gibbs."));
    visit(&O::optimizer, option("optimizer",
                                "Optimizer; auto makes a stochastic start, then runs preconditioned L-BFGS (or AdaGrad "
                                "for gibbs), while lbfgs starts from scratch, without a preconditioner."));
    visit(
        &O::iterations,
        number_from(
            0, "iterations",
            "Maximum number of iterations. 0: 1000, which are passes for an SVM, or 5 passes for gibbs and doeblin."));
    visit(&O::tolerance,
          number_in(
              0, 1, "tolerance",
              "Stop when the objective fell by at most tolerance * objective over the last 10 iterations; 0: never."));
    visit(&O::epsilon, number_from(0, "epsilon", "Stop when |gradient| <= epsilon * max(1, |w|); 0: never."));
    visit(&O::start_passes, number_in(0, 1000, "start-passes", "Number of stochastic passes before L-BFGS; 0: none."));
    visit(&O::learning_rate,
          number_from(0, "learning-rate",
                      "Learning rate of stochastic steps. 0: found by trial, or 0.2 for gibbs and 0.1 for doeblin."));
    visit(&O::adagrad_delta, number_in(1e-12, 1e6, "adagrad-delta",
                                       "Number that AdaGrad adds to the sum of squared gradients: steps of gibbs are "
                                       "learning-rate / sqrt(delta + sum)."));
    visit(&O::gibbs_sweeps,
          number_in(1, 1000000, "gibbs-sweeps", "Number of sweeps over a sequence for one gradient."));
    visit(&O::gibbs_burn_in,
          number_in(0, 1000000, "gibbs-burn-in", "Number of initial sweeps that are not averaged; < gibbs-sweeps."));
    describe_doeblin(visit);
    visit(&O::gap_tolerance, number_in(0, 1, "gap-tolerance",
                                       "Stop an SVM when the dual proves that the objective is at most gap-tolerance * "
                                       "objective above its minimum; 0: never; 0.01 if not given."));
    visit(&O::cut_off, number_from(1, "cut-off", "Drop attributes that occur at fewer items than this."));
    visit(&O::all_features,
          option("all-features", "Give a weight to every attribute and label, seen together or not."));
  }

 private:
  static void describe_doeblin(auto&& visit) {
    using O = CrfTrainerOptions;
    visit(&O::restart_rate, number_in(0, 1, "restart-rate",
                                      "Probability of a restart in the doeblin chain; on average, 1 / rate - 1 sweeps "
                                      "follow a restart. 0 learns the rate, for the likelihood gained per sweep."));
    visit(&O::runs, number_in(2, 100000, "runs", "Number of runs of the doeblin chain for one gradient."));
    visit(&O::stratified,
          option("stratified",
                 "Take lengths of doeblin runs from all parts of their law, and credit a draw with its advantage over "
                 "the other runs. The alternative is the paper's estimator, which varies more."));
  }
};

/// Hooks of a caller into a training, all optional.
struct TrainingHooks {
  optimize::IterationObserver observer = {};                ///< called after every iteration or pass; false stops
  std::function<double(const CrfWeights&)> dev_score = {};  ///< put into the records ...
  int dev_every = 10;                                       ///< ... of every dev_every-th iteration, and every pass
  std::string checkpoint_path = "";                         ///< where to keep the state of training
  double checkpoint_seconds = 60;                           ///< at least this long between two writes
  std::string resume_path = "";                             ///< a checkpoint to continue from
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
  /// the weights reached so far. The result is the same to the bit at any number of threads, and when resumed from a
  /// checkpoint. Throws UsageError where set and options do not fit, InputError for a checkpoint that is damaged or
  /// belongs to another training.
  Result train(const TrainingSet& set, const Run& run = {}, const TrainingHooks& hooks = {},
               const CrfWeights* warm_start = nullptr) const;

  const CrfTrainerOptions& options() const { return options_; }

 private:
  CrfTrainerOptions options_;
};

}  // namespace fovea::sequence
