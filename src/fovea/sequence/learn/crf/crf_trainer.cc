// SPDX-License-Identifier: Apache-2.0
#include "fovea/sequence/learn/crf/crf_trainer.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <optional>
#include <utility>

#include "fovea/base/atomic_file.h"
#include "fovea/base/error.h"
#include "fovea/base/random.h"
#include "fovea/base/run_control.h"
#include "fovea/optimize/lbfgs.h"
#include "fovea/optimize/rprop.h"
#include "fovea/sequence/learn/crf/attribute_scales.h"
#include "fovea/sequence/learn/crf_objective.h"
#include "fovea/sequence/learn/doeblin/doeblin_training.h"
#include "fovea/sequence/learn/gibbs_training.h"
#include "fovea/sequence/learn/stochastic_start.h"
#include "fovea/sequence/learn/training_checkpoint.h"
#include "fovea/sequence/model/least_restart_rate.h"

namespace fovea::sequence {
namespace {

using Clock = std::chrono::steady_clock;

/// Returns, as JSON, everything that must be the same to resume a training.
std::string defining_options(CrfTrainerOptions options, const Random& random) {
  const CrfTrainerOptions defaults;
  options.iterations = defaults.iterations;
  options.tolerance = defaults.tolerance;
  options.epsilon = defaults.epsilon;
  options.gap_tolerance = CrfTrainerOptions::kGapTolerance;  // an SVM cannot be resumed; checkpoints hold this number
  std::string json = options_json(options);
  json.back() = ',';
  return json + fmt::format(R"("seed":{},"threads":0}})", random.key());
}

/// The exact recursions run over label histories that begin an n-gram (sequence/exact/sequence_states.h) and cost about
/// histories times labels per token. Beyond this number, an iteration takes minutes on a corpus of 200,000 tokens.
constexpr std::size_t kMostExactTransitions = 50000;

std::size_t exact_transitions(const CrfFeatures& features) {
  // Of the n-grams seen, those of less than the full size are the histories that begin a longer one.
  const auto longer_histories = std::count_if(features.ngrams.begin(), features.ngrams.end(),
                                              [&](const LabelNgram& n) { return n.size < features.factor_size; });
  return (1 + features.label_count + longer_histories) * features.label_count;
}

/// One training, step by step.
class TrainingRun {
 public:
  TrainingRun(const CrfTrainerOptions& options, const TrainingSet& set, const Run& run, const TrainingHooks& hooks)
      : options_(options),
        set_(set),
        run_(run),
        hooks_(hooks),
        transposed_(std::make_shared<const TransposedItems>(set.items, set.attribute_count)),
        features_(observed_features(set, *transposed_, options.factor_size, options.all_features)) {
    choose_methods();
    summary_.sequences = set.items.sequence_count();
    summary_.items = set.items.item_count();
    summary_.attributes = set.attribute_count;
    summary_.pair_features = features_.labels.size();
    summary_.ngram_features = features_.ngrams.size();
  }

  CrfTrainer::Result run(const CrfWeights* warm_start) {
    bool fresh = warm_start == nullptr;
    if (!hooks_.resume_path.empty()) {
      state_ =
          TrainingCheckpoint::load(hooks_.resume_path, defining_options(options_, run_.random), features_.dimension());
      fresh = false;
    } else {
      state_.x = warm_start ? warm_start->as_parameters(features_) : std::vector<float>(features_.dimension());
    }
    state_.options = defining_options(options_, run_.random);
    state_.used_gradient = summary_.used_gradient;
    const bool go_on = !(fresh && options_.optimizer == CrfOptimizer::kAuto) || run_stochastic_start();
    if (!go_on) return finish();
    run_.begin_phase("training");
    if (gradient_ == CrfGradient::kGibbs) run_gibbs();
    else if (gradient_ == CrfGradient::kDoeblin) run_doeblin();
    else run_batch();
    return finish();
  }

 private:
  /// Kind of step that a record describes: a pass of the stochastic start, an iteration over all data, or a pass of
  /// stochastic training.
  enum class Step { kStart, kIteration, kPass };

  void choose_methods() {
    const bool exact = exact_transitions(features_) <= kMostExactTransitions;
    gradient_ = options_.gradient != CrfGradient::kAuto                                 ? options_.gradient
                : options_.optimizer == CrfOptimizer::kAdagrad                          ? CrfGradient::kGibbs
                : exact || options_.l1 > 0 || options_.optimizer != CrfOptimizer::kAuto ? CrfGradient::kExact
                                                                                        : CrfGradient::kGibbs;
    if (options_.gradient == CrfGradient::kAuto && gradient_ == CrfGradient::kGibbs && !exact)
      run_.note_that(fmt::format(
          "gradient: gibbs, which estimates; exact sums would take {} label transitions for each item (option "
          "'gradient exact')",
          exact_transitions(features_)));
    summary_.counts_errors = gradient_ == CrfGradient::kGibbs;
    summary_.given_gradient = word_of(options_.gradient);
    summary_.used_gradient = word_of(gradient_);
    summary_.given_optimizer = summary_.used_optimizer = word_of(options_.optimizer);
    if ((gradient_ == CrfGradient::kPseudo || gradient_ == CrfGradient::kDoeblin) &&
        std::find(set_.labels.begin(), set_.labels.end(), kUnknownLabel) != set_.labels.end())
      throw UsageError(
          fmt::format("gradient {} needs a label for every item; use gradient exact or gibbs", summary_.used_gradient));
  }

  /// Returns false if the caller stopped it.
  bool run_stochastic_start() {
    if (options_.start_passes == 0) return true;
    const Clock::time_point start = Clock::now();
    run_.begin_phase("stochastic start");
    StochasticStart descent(set_, features_, options_.l2, std::move(state_.x), run_.random.child("start"),
                            run_.threads);
    if (options_.learning_rate > 0 && gradient_ != CrfGradient::kGibbs && gradient_ != CrfGradient::kDoeblin)
      descent.set_learning_rate(options_.learning_rate);
    else descent.calibrate([&] { return cancelled(); });
    optimize::IterationRecord record{.phase = "stochastic"};
    bool go_on = true;
    while (go_on && record.iteration < options_.start_passes) {
      record.objective = descent.pass([&] { return cancelled(); });
      ++record.iteration;
      go_on = report(record, Step::kStart, [&] { return CrfWeights(features_, descent.average()); });
    }
    state_.x = std::move(descent).take_average();
    summary_.phases.push_back({"stochastic", record.iteration, 0, seconds_since(start)});
    if (!go_on) summary_.termination = optimize::Termination::kStopped;
    return go_on;
  }

  void run_batch() {
    const Clock::time_point start = Clock::now();
    CrfObjective objective(set_, features_, transposed_,
                           {.l2 = options_.l2,
                            .objective = gradient_ == CrfGradient::kPseudo ? SequenceObjective::kPseudoLikelihood
                                                                           : SequenceObjective::kLikelihood,
                            .threads = run_.threads});
    const optimize::StoppingOptions stopping = options_.stopping();
    const optimize::IterationObserver observer = [&](const optimize::IterationRecord& record) {
      return report(record, Step::kIteration, [&] { return CrfWeights(features_, state_.x); });
    };
    optimize::MinimizeSummary result;
    if (options_.optimizer == CrfOptimizer::kRprop) {
      result = optimize::minimize_rprop(objective, std::span(state_.x), {.stopping = stopping, .threads = run_.threads},
                                        observer);
    } else {
      if (options_.optimizer == CrfOptimizer::kAuto && state_.scale.empty())
        state_.scale = inverse_curvature(objective.curvature(state_.x), options_.l2);
      result = optimize::minimize_lbfgs(objective, std::span(state_.x),
                                        {.stopping = stopping, .l1 = options_.l1, .threads = run_.threads},
                                        state_.lbfgs, std::span<const float>(state_.scale), observer);
    }
    summary_.termination = result.termination;
    update_last(result.last);
    summary_.phases.push_back(
        {std::string(result.last.phase), result.last.iteration, result.last.evaluations, seconds_since(start)});
  }

  void run_gibbs() {
    GibbsTraining training(set_, features_, state_.x,
                           {.sweeps = options_.gibbs_sweeps,
                            .burn_in = options_.gibbs_burn_in,
                            .learning_rate = options_.learning_rate > 0 ? options_.learning_rate : .2,
                            .delta = options_.adagrad_delta,
                            .l2 = options_.l2},
                           std::move(state_.squares));
    run_passes("gibbs", training, [&](const Random& random, optimize::IterationRecord& record) {
      record.objective = training.pass(random, [&] { return cancelled(); });
    });
  }

  /// Starts from weights of u alone, which the stochastic start finds: while longer n-grams have weight 0, sweeps leave
  /// u invariant (assumption 4.3 of Steinhardt and Liang 2015).
  void run_doeblin() {
    summary_.given_restart_rate = options_.restart_rate;
    if (state_.restart_rate == 0) state_.restart_rate = options_.restart_rate > 0 ? options_.restart_rate : .25;
    DoeblinTraining training(set_, features_, state_.x,
                             {.restart_rate = state_.restart_rate,
                              .runs = options_.runs,
                              .stratified = options_.stratified,
                              .learning_rate = options_.learning_rate > 0 ? options_.learning_rate : .1,
                              .l2 = options_.l2},
                             std::move(state_.squares));
    run_passes("doeblin", training, [&](const Random& random, optimize::IterationRecord& record) {
      training.set_restart_rate(state_.restart_rate);
      const LikelihoodEstimate estimate = training.pass(random, [&] { return cancelled(); });
      record.objective = -estimate.mean_log;
      record.objective_error = estimate.error;
      if (options_.restart_rate == 0) state_.restart_rate = estimate.best_restart_rate;
    });
    summary_.restart_rate = state_.restart_rate;
  }

  /// pass(random, record) makes one pass and fills in the record.
  template <class Training, class Pass>
  void run_passes(std::string_view name, Training& training, const Pass& pass) {
    const Clock::time_point start = Clock::now();
    const int passes = options_.iterations > 0 ? options_.iterations : 5;
    summary_.termination = optimize::Termination::kIterations;
    while (state_.passes < passes) {
      optimize::IterationRecord record{.phase = name};
      pass(run_.random.child(name, state_.passes), record);
      record.iteration = ++state_.passes;
      const std::span<const float> squares = training.squares();
      state_.squares.assign(squares.begin(), squares.end());
      const bool go_on = report(record, Step::kPass, [&] { return CrfWeights(features_, state_.x); });
      summary_.curve.push_back(summary_.last);
      if (go_on) continue;
      summary_.termination = optimize::Termination::kStopped;
      break;
    }
    summary_.phases.push_back({std::string(name), state_.passes, 0, seconds_since(start)});
  }

  CrfTrainer::Result finish() {
    summary_.nonzero = std::count_if(state_.x.begin(), state_.x.end(), [](float w) { return w != 0; });
    summary_.seconds = seconds_since(start_);
    return {CrfWeights(features_, state_.x, options_.l1 > 0), summary_};
  }

  bool cancelled() const { return run_.stop.requested(); }

  /// Completes a record and passes it on; false when training must stop. `weights()` makes the current model.
  template <class MakeWeights>
  bool report(const optimize::IterationRecord& from, Step step, const MakeWeights& weights) {
    optimize::IterationRecord record = from;
    record.seconds = seconds_since(start_);
    if (hooks_.dev_score && (step != Step::kIteration || record.iteration % std::max(1, hooks_.dev_every) == 0))
      record.dev_score = hooks_.dev_score(weights());
    update_last(record);
    const bool go_on = !hooks_.observer || hooks_.observer(record);
    if (step != Step::kStart && options_.optimizer != CrfOptimizer::kRprop) write_checkpoint();
    return go_on && !cancelled();
  }

  /// A cancelled pass leaves a state between iterations, which is not worth keeping.
  void write_checkpoint() {
    if (hooks_.checkpoint_path.empty() || cancelled()) return;
    if (seconds_since(last_checkpoint_) < hooks_.checkpoint_seconds) return;
    save_or_warn([&] { state_.save(hooks_.checkpoint_path); }, run_.warn);
    last_checkpoint_ = Clock::now();
  }

  void update_last(const optimize::IterationRecord& record) {
    const std::optional<double> dev_score = record.dev_score ? record.dev_score : summary_.last.dev_score;
    summary_.last = record;
    summary_.last.dev_score = dev_score;
  }

  const CrfTrainerOptions& options_;
  CrfGradient gradient_ = CrfGradient::kAuto;  // the one used: never kAuto once chosen
  const TrainingSet& set_;
  const Run& run_;
  const TrainingHooks& hooks_;
  Clock::time_point start_ = Clock::now(), last_checkpoint_ = Clock::now();
  std::shared_ptr<const TransposedItems> transposed_;
  CrfFeatures features_;
  TrainingCheckpoint state_;
  TrainSummary summary_;
};

}  // namespace

CrfTrainer::CrfTrainer(CrfTrainerOptions options) : options_(std::move(options)) {
  validate(options_);
  check_restart_rate(options_.restart_rate);
  if (options_.gibbs_burn_in >= options_.gibbs_sweeps)
    throw UsageError(fmt::format("gibbs-burn-in {} must be less than gibbs-sweeps {}", options_.gibbs_burn_in,
                                 options_.gibbs_sweeps));
  const bool sampled = options_.gradient == CrfGradient::kGibbs || options_.gradient == CrfGradient::kDoeblin;
  if ((options_.optimizer == CrfOptimizer::kAdagrad && !sampled && options_.gradient != CrfGradient::kAuto) ||
      (sampled && options_.optimizer != CrfOptimizer::kAdagrad && options_.optimizer != CrfOptimizer::kAuto))
    throw UsageError("optimizer adagrad and gradients gibbs and doeblin go together");
  if (options_.l1 > 0 &&
      (sampled || options_.optimizer == CrfOptimizer::kRprop || options_.optimizer == CrfOptimizer::kAdagrad))
    throw UsageError("l1 > 0 needs optimizer lbfgs or auto, and an exact gradient or pseudo-likelihood");
}

CrfTrainer::Result CrfTrainer::train(const TrainingSet& set, const Run& run, const TrainingHooks& hooks,
                                     const CrfWeights* warm_start) const {
  if (set.items.item_count() == 0 || set.label_count == 0) throw UsageError("there is nothing to train on");
  if (warm_start != nullptr && warm_start->label_count() > set.label_count)
    throw UsageError(fmt::format("the model to start from has {} labels, the training data {}",
                                 warm_start->label_count(), set.label_count));
  return train_scaled(set, hooks, warm_start,
                      [&](const TrainingSet& scaled, const TrainingHooks& inner, const CrfWeights* start) {
                        return TrainingRun(options_, scaled, run, inner).run(start);
                      });
}

}  // namespace fovea::sequence
