// SPDX-License-Identifier: Apache-2.0
#include "fovea/sequence/learn/margin/structured_svm.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <numeric>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "fovea/base/error.h"
#include "fovea/base/random.h"
#include "fovea/base/run_control.h"
#include "fovea/sequence/learn/crf/attribute_scales.h"
#include "fovea/sequence/learn/margin/margin_dual.h"

namespace fovea::sequence {
namespace {

constexpr int kMostPasses = 1000;
constexpr int kPassesBetweenCertificates = 5;

void check_that_options_apply(const CrfTrainerOptions& options) {
  if (const char* name =
          changed_option(options, {"factor-size", "l2", "iterations", "gap-tolerance", "cut-off", "all-features"}))
    throw UsageError(fmt::format("a structured SVM takes no {}; leave it out", name));
}

/// One training, pass by pass.
class SvmRun {
 public:
  SvmRun(const CrfTrainerOptions& options, const TrainingSet& set, const Run& run, const TrainingHooks& hooks)
      : options_(options),
        run_(run),
        hooks_(hooks),
        features_(observed_features(set, TransposedItems(set.items, set.attribute_count), options.factor_size,
                                    options.all_features)),
        dual_(set, features_, options.l2) {
    summary_.sequences = set.items.sequence_count();
    summary_.items = set.items.item_count();
    summary_.attributes = set.attribute_count;
    summary_.pair_features = features_.labels.size();
    summary_.ngram_features = features_.ngrams.size();
    summary_.given_gradient = word_of(options.gradient);
    summary_.used_gradient = "margin";
    summary_.given_optimizer = word_of(options.optimizer);
    summary_.used_optimizer = "frank-wolfe";
  }

  CrfTrainer::Result run() {
    const int most = options_.iterations > 0 ? options_.iterations : kMostPasses;
    bool go_on = certify();
    while (go_on && passes_ < most) {
      const int last = std::min(most, passes_ + kPassesBetweenCertificates);
      while (passes_ < last && !cancelled()) pass();
      go_on = certify();
    }
    if (go_on) summary_.termination = optimize::Termination::kIterations;
    return finish();
  }

 private:
  using Clock = std::chrono::steady_clock;

  bool cancelled() const { return run_.stop.requested(); }

  /// Makes as many visits as there are sequences, to each with a probability proportional to its gap when last seen
  /// (Osokin et al. 2016, section 3.1): most sequences soon have a gap of 0.
  void pass() {
    Random random = run_.random.child("svm", static_cast<std::uint64_t>(passes_++));
    std::vector<double> cumulative(gaps_.size());
    std::partial_sum(gaps_.begin(), gaps_.end(), cumulative.begin());
    for (std::size_t i = 0; i < gaps_.size() && !cancelled(); ++i) {
      const double target = random.threshold(cumulative.back());
      const auto found = std::upper_bound(cumulative.begin(), cumulative.end() - 1, target);
      const auto sequence = static_cast<std::size_t>(found - cumulative.begin());
      gaps_[sequence] = std::max(0.0, dual_.visit(sequence).gap);
    }
  }

  /// Measures objective and gap; false when training is over. A stopped training's last record is the one before.
  bool certify() {
    std::optional<MarginDual::Certificate> now = dual_.certificate(run_.threads, run_.stop);
    if (!now) {
      if (gaps_.empty()) summary_.last.objective = std::numeric_limits<double>::quiet_NaN();  // never measured
      summary_.termination = optimize::Termination::kStopped;
      return false;
    }
    gaps_ = std::move(now->gaps);
    const bool converged =
        now->gap() <= options_.gap_tolerance.value_or(CrfTrainerOptions::kGapTolerance) * now->primal;
    const bool go_on = report(*now);
    if (converged) summary_.termination = optimize::Termination::kConverged;
    else if (!go_on) summary_.termination = optimize::Termination::kStopped;
    return go_on && !converged;
  }

  bool report(const MarginDual::Certificate& now) {
    optimize::IterationRecord record{.phase = "svm",
                                     .iteration = passes_,
                                     .objective = now.primal,
                                     .parameter_norm = std::sqrt(dual_.weights().squared_norm()),
                                     .seconds = seconds_since(start_),
                                     .gap = now.gap()};
    if (hooks_.dev_score) record.dev_score = hooks_.dev_score(CrfWeights(features_, dual_.weights().rounded()));
    summary_.last = record;
    return (!hooks_.observer || hooks_.observer(record)) && !cancelled();
  }

  CrfTrainer::Result finish() {
    const std::vector<float> x = dual_.weights().rounded();
    summary_.nonzero = static_cast<std::size_t>(std::count_if(x.begin(), x.end(), [](float w) { return w != 0; }));
    summary_.seconds = seconds_since(start_);
    summary_.phases.push_back({"svm", passes_, 0, summary_.seconds});
    return {CrfWeights(features_, x, true), summary_};
  }

  const CrfTrainerOptions& options_;
  const Run& run_;
  const TrainingHooks& hooks_;
  Clock::time_point start_ = Clock::now();
  CrfFeatures features_;
  MarginDual dual_;
  std::vector<double> gaps_;  // [sequence], when last seen
  int passes_ = 0;
  TrainSummary summary_;
};

}  // namespace

StructuredSvmTrainer::StructuredSvmTrainer(CrfTrainerOptions options) : options_(std::move(options)) {
  validate(options_);
  check_that_options_apply(options_);
  if (options_.factor_size > 2)
    throw UsageError(
        fmt::format("factor-size {}: a structured SVM scores label pairs, 2 at most", options_.factor_size));
  if (options_.l2 <= 0) throw UsageError("l2 must be more than 0 for a structured SVM");
}

CrfTrainer::Result StructuredSvmTrainer::train(const TrainingSet& set, const Run& run,
                                               const TrainingHooks& hooks) const {
  if (set.items.item_count() == 0 || set.label_count == 0) throw UsageError("there is nothing to train on");
  if (std::find(set.labels.begin(), set.labels.end(), kUnknownLabel) != set.labels.end())
    throw UsageError("a structured SVM needs a label for every item; a CRF does not");
  return train_scaled(set, hooks, nullptr,
                      [&](const TrainingSet& scaled, const TrainingHooks& inner, const CrfWeights*) {
                        return SvmRun(options_, scaled, run, inner).run();
                      });
}

}  // namespace fovea::sequence
