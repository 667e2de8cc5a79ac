// SPDX-License-Identifier: Apache-2.0
#include "fovea/sequence/learn/doeblin/doeblin_training.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "fovea/base/error.h"
#include "fovea/sequence/learn/crf_descent.h"
#include "fovea/sequence/learn/crf_features.h"
#include "fovea/sequence/learn/doeblin/run_masses.h"
#include "fovea/sequence/learn/doeblin/tagger_chains.h"
#include "fovea/sequence/learn/sparse_sum.h"

namespace fovea::sequence {
namespace {

// AdaGrad's delta. Weights start near the best of u, so a first gradient, however small, must not make a whole step.
constexpr double kDelta = 1;
constexpr double kStartCost = 8;  // sweeps that take as long as exact sums over label pairs and a draw

}  // namespace

class DoeblinTraining::State {
 public:
  State(const TrainingSet& set, const CrfFeatures& features, std::span<float> x, const DoeblinTrainingOptions& options,
        std::vector<float> squares)
      : options_(options),
        descent_(set, features, x, {.learning_rate = options.learning_rate, .delta = kDelta, .l2 = options.l2},
                 std::move(squares)),
        chains_(descent_.tables()),
        sums_(x.size()) {}

  CrfDescent& descent() { return descent_; }
  const LikelihoodEstimate& estimate() const { return estimate_; }
  void set_restart_rate(double epsilon) { options_.restart_rate = epsilon; }

  void begin_pass() {
    estimate_ = {};
    items_ = 0;
    variance_ = 0;
    rates_ = {};
  }

  void step(std::size_t sequence, Random& random) {
    const TrainingSet& set = descent_.set();
    const std::size_t first = set.items.sequence_begin[sequence], length = set.sequence_length(sequence);
    if (length == 0) return;
    score_items(first, length);
    const LabelNgrams pairs(set.label_count, std::min(descent_.features().factor_size, 2), scored_pairs());
    chains_.begin(pairs, unary_.data(), length);
    const TaggerChains::State y = chains_.padded({set.labels.data() + first, length});
    DoeblinRuns<TaggerChains::State> runs(chains_.log_start(y));
    add_runs(runs, y, random);
    note(runs, length);
    chains_.begin(gradient_);
    if (!runs.add_gradient(chains_, y, -1, credit(), gradient_)) return;
    chains_.finish(gradient_);
    descent_.update(by_parameter(first, length));
  }

  void end_pass() {
    const double items = std::max(1.0, items_);
    estimate_.mean_log /= items;
    estimate_.error = std::sqrt(variance_) / items;
    if (rates_.output_count() > 0) estimate_.best_restart_rate = rates_.best(kStartCost);
  }

 private:
  PathCredit credit() const { return options_.stratified ? PathCredit::kAdvantage : PathCredit::kMass; }

  void add_runs(DoeblinRuns<TaggerChains::State>& runs, const TaggerChains::State& y, Random& random) const {
    const RunLength length = RunLength::geometric(options_.restart_rate);
    if (options_.stratified) {
      runs.add_stratified(chains_, y, length, static_cast<std::size_t>(options_.runs), random);
    } else {
      for (int i = 0; i < options_.runs; ++i) runs.add(chains_, y, length, random);
    }
  }

  void note(const DoeblinRuns<TaggerChains::State>& runs, std::size_t length) {
    const RunMasses& masses = runs.masses();
    const double relative_error = masses.run_count() > 1 ? masses.error() / masses.mean() : 0;
    estimate_.mean_log += std::log(masses.mean()) + runs.log_scale();
    estimate_.transitions += masses.transitions() * length;
    variance_ += relative_error * relative_error;
    items_ += static_cast<double>(length);
    rates_.add(masses, options_.restart_rate, runs.log_scale());
  }

  void score_items(std::size_t first, std::size_t length) {
    const std::size_t stride = descent_.tables().stride();
    unary_.assign(length * stride, 0.0f);
    for (std::size_t t = 0; t < length; ++t)
      for_each_feature(descent_.set(), descent_.features(), first + t, [&](std::uint32_t e, Value label, float value) {
        unary_[t * stride + label] += value * descent_.x()[e];
      });
  }

  std::vector<LabelNgram> scored_pairs() const {
    const CrfFeatures& features = descent_.features();
    std::vector<LabelNgram> pairs;
    for (std::size_t i = 0; i < features.ngrams.size() && features.ngrams[i].size == 2; ++i) {
      pairs.push_back(features.ngrams[i]);
      pairs.back().score = descent_.x()[features.labels.size() + i];
    }
    return pairs;
  }

  std::span<const std::pair<std::uint32_t, float>> by_parameter(std::size_t first, std::size_t length) {
    for (std::size_t t = 0; t < length; ++t) {
      const std::span<const float> unary = gradient_.unary(t);
      for_each_feature(descent_.set(), descent_.features(), first + t,
                       [&](std::uint32_t e, Value label, float value) { sums_.add(e, value * unary[label]); });
    }
    const auto first_ngram = static_cast<std::uint32_t>(descent_.features().labels.size());
    gradient_.for_each_ngram([&](std::uint32_t id, float derivative) { sums_.add(first_ngram + id, derivative); });
    return sums_.take();
  }

  DoeblinTrainingOptions options_;
  CrfDescent descent_;
  TaggerChains chains_;
  TaggerChains::Gradient gradient_;
  AlignedVector<float> unary_;  // [token][label]
  SparseSum sums_;              // [parameter]
  LikelihoodEstimate estimate_;
  RestartRateLearner rates_;
  double items_ = 0, variance_ = 0;
};

DoeblinTraining::DoeblinTraining(const TrainingSet& set, const CrfFeatures& features, std::span<float> x,
                                 const DoeblinTrainingOptions& options, std::vector<float> squares)
    : state_(std::make_unique<State>(set, features, x, options, std::move(squares))) {
  FOVEA_CHECK(options.runs > 0 && std::ranges::find(set.labels, kUnknownLabel) == set.labels.end());
}

DoeblinTraining::~DoeblinTraining() = default;

void DoeblinTraining::set_restart_rate(double epsilon) { state_->set_restart_rate(epsilon); }

LikelihoodEstimate DoeblinTraining::pass(Random random, const std::function<bool()>& should_stop) {
  state_->begin_pass();
  state_->descent().pass(random, should_stop,
                         [&](std::size_t sequence, Random& draws) { state_->step(sequence, draws); });
  state_->end_pass();
  return state_->estimate();
}

std::span<const float> DoeblinTraining::squares() { return state_->descent().squares(); }

}  // namespace fovea::sequence
