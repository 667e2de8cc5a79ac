// SPDX-License-Identifier: Apache-2.0
#include "fovea/sequence/policy/round_learner.h"

#include <algorithm>
#include <array>
#include <numeric>
#include <utility>

#include "fovea/base/error.h"
#include "fovea/sequence/sample/orders.h"

namespace fovea::sequence {
namespace {

/// Layout of the parameters of a rule.
struct Layout {
  explicit Layout(std::size_t classes) : left(kDoubtBuckets), right(left + classes), changed(right + classes) {}

  std::size_t left, right, changed;
  std::size_t size() const { return changed + 1; }
};

struct Example {
  MetaVector phi;
  float gain;
  std::size_t half;  // of the sequences, in turn
};

/// Collects examples of what visits gain from a given start.
class Collector {
 public:
  Collector(const RoundTask& task, const PairClasses& classes, std::vector<Example>& examples,
            const CancelToken* cancel)
      : sequences_(*task.sequences),
        classes_(classes),
        layout_(classes.count),
        examples_(examples),
        cancel_(cancel),
        y_(*task.labels),
        doubt_(task.doubt.begin(), task.doubt.end()),
        changes_(y_.size()),
        half_(sequences_.position_count()),
        reach_(sequences_.ngrams().order()),
        best_(sequences_),
        sample_(sequences_) {
    for (std::size_t s = 1; s < sequences_.sequence_count(); s += 2)
      std::fill(half_.begin() + static_cast<std::ptrdiff_t>(sequences_.begin(s)),
                half_.begin() + static_cast<std::ptrdiff_t>(sequences_.end(s)), std::uint8_t{1});
  }

  void collect_best() {
    const std::vector<VariableId> order = colour_order(sequences_);
    for (std::size_t i = 0; i < order.size() && !is_cancelled(); ++i) add_best(order[i]);
    for (std::size_t i = 0; i < order.size() && !is_cancelled(); ++i) visit(order[i], best_, unused_);
    for (std::size_t p = 0; p < y_.size() && !is_cancelled(); ++p)
      if (changes_[p] > 0 && !is_pad(p)) add_best(static_cast<VariableId>(p));
  }

  void collect_samples(Random& random) {
    constexpr int kRounds = 6;
    constexpr float kSettled = 1e-3f;  // less doubt is of little interest after the first round
    const std::vector<VariableId> order = colour_order(sequences_);
    for (int round = 0; round < kRounds; ++round)
      for (const VariableId p : order) {
        if (is_cancelled()) return;
        if (round > 0 && changes_[p] == 0 && doubt_[p] < kSettled) continue;
        add_sample(p, random);
        visit(p, sample_, random);
      }
  }

 private:
  bool is_cancelled() const { return cancel_ && cancel_->cancelled(); }
  bool is_pad(std::size_t p) const { return y_[p] == sequences_.ngrams().pad(); }

  void add(VariableId p, float reward) {
    const std::size_t base = static_cast<std::size_t>(sequences_.ngrams().label_count()) + 1;
    MetaVector phi;
    phi.add(static_cast<std::uint32_t>(doubt_bucket(doubt_[p])), 1);
    phi.add(static_cast<std::uint32_t>(layout_.left) + classes_.left[y_[p - 1] * base + y_[p]], 1);
    phi.add(static_cast<std::uint32_t>(layout_.right) + classes_.right[y_[p] * base + y_[p + 1]], 1);
    if (changes_[p] > 0) phi.add(static_cast<std::uint32_t>(layout_.changed), static_cast<float>(changes_[p]));
    examples_.push_back({std::move(phi), bounded_reward(reward), half_[p]});
  }

  void add_best(VariableId p) {
    const Value before = y_[p];
    const float reward = step(p, best_, unused_);
    y_[p] = before;
    add(p, reward);
  }

  void add_sample(VariableId p, Random& random) {
    constexpr int kSamples = 4;
    const std::vector<Value> before(&y_[p - reach_], &y_[p + reach_] + 1);
    float reward = 0;
    for (int sample = 0; sample < kSamples; ++sample) {
      float gain = step(p, sample_, random);
      if (y_[p] == before[reach_]) continue;
      for (std::size_t d = 1; d <= reach_; ++d)
        for (const VariableId q : {p - d, p + d})
          if (!is_pad(q)) gain += step(q, best_, unused_);
      std::copy(before.begin(), before.end(), &y_[p - reach_]);
      reward += std::max(0.0f, gain) / kSamples;
    }
    add(p, reward);
  }

  template <class Kernel>
  float step(VariableId p, const Kernel& kernel, Random& random) {
    float gain = 0;
    kernel.step(y_, {&p, 1}, random, mcmc::VisitRecord{.gains = &gain});
    return gain;
  }

  /// Visits a position for good, and moves on from there.
  template <class Kernel>
  void visit(VariableId p, const Kernel& kernel, Random& random) {
    std::array<VariableId, 2> changed;
    changes_[p] = 0;
    const mcmc::StepInfo info = kernel.step(y_, {&p, 1}, random, {.doubt = doubt_.data(), .changed = changed.data()});
    if (info.changes == 0) return;
    for (std::size_t d = 1; d <= reach_; ++d) ++changes_[p - d], ++changes_[p + d];
  }

  const LabelSequences& sequences_;
  const PairClasses& classes_;
  Layout layout_;
  std::vector<Example>& examples_;
  const CancelToken* cancel_;
  Assignment y_;
  std::vector<float> doubt_;
  std::vector<int> changes_;        // [position] number of neighbours changed since its last visit
  std::vector<std::uint8_t> half_;  // [position]
  std::size_t reach_;
  SequenceIcm best_;
  SequenceGibbs sample_;
  Random unused_{0};
};

/// Fits a value function of `size` parameters to the examples of some numbers.
ValueFunction fit(const std::vector<Example>& examples, std::vector<std::uint32_t> order, std::size_t size,
                  const RoundLearnerOptions& options, Random& random, const CancelToken* cancel) {
  ValueFunction value(size);
  ValueLearner learner(value, options.rate);
  for (int epoch = 0; epoch < options.epochs && !(cancel && cancel->cancelled()); ++epoch) {
    shuffle(std::span(order), random);
    for (const std::uint32_t i : order) learner.update(examples[i].phi, examples[i].gain);
  }
  return value;
}

/// The gain of each example, at the score that it has by weights learned from the other half of the sequences.
std::vector<GainCalibration::Knot> cross_fitted(const std::vector<Example>& examples, std::size_t size,
                                                const RoundLearnerOptions& options, Random& random,
                                                const CancelToken* cancel) {
  std::array<std::vector<std::uint32_t>, 2> halves;
  for (std::uint32_t i = 0; i < examples.size(); ++i) halves[examples[i].half].push_back(i);
  std::vector<GainCalibration::Knot> visits;
  for (const std::size_t learning : {0, 1}) {
    const ValueFunction value = fit(examples, halves[learning], size, options, random, cancel);
    const float sign = value.w < 0 ? -1.0f : 1.0f;
    for (const std::uint32_t i : halves[1 - learning])
      visits.push_back({sign * value.dot(examples[i].phi), examples[i].gain});
  }
  return visits;
}

}  // namespace

RoundPolicy RoundRule::policy(std::size_t label_count, const PairClasses& classes) const {
  RoundPolicy result(label_count);
  const Layout layout(classes.count);
  FOVEA_CHECK(value.alpha.size() == layout.size());
  // w sigma(s) + b = -w sigma(-s) + (w + b): learning may end at either form, but the schedule needs w > 0.
  const float sign = value.w < 0 ? -1.0f : 1.0f;
  for (std::size_t d = 0; d < kDoubtBuckets; ++d) result.doubt[d] = sign * value.alpha[d];
  for (std::size_t pair = 0; pair < result.left.size(); ++pair) {
    result.left[pair] = sign * value.alpha[layout.left + classes.left[pair]];
    result.right[pair] = sign * value.alpha[layout.right + classes.right[pair]];
  }
  result.changed = sign * value.alpha[layout.changed];
  result.w = sign * value.w;
  result.b = value.w < 0 ? value.w + value.b : value.b;
  result.calibration = calibration;
  return result;
}

RoundRule learn_round_rule(std::span<const RoundTask> tasks, std::span<const PairClasses> classes, VisitReward reward,
                           const RoundLearnerOptions& options, Random& random, const CancelToken* cancel) {
  validate(options);
  FOVEA_CHECK(!tasks.empty() && tasks.size() == classes.size());
  std::vector<Example> examples;
  for (std::size_t t = 0; t < tasks.size(); ++t) {
    FOVEA_CHECK(tasks[t].sequences->ngrams().factor_size() > 1 && classes[t].count == classes[0].count);
    Collector collector(tasks[t], classes[t], examples, cancel);
    if (reward == VisitReward::kBest) collector.collect_best();
    else collector.collect_samples(random);
  }
  const std::size_t size = Layout(classes[0].count).size();
  std::vector<std::uint32_t> all(examples.size());
  std::iota(all.begin(), all.end(), 0u);
  RoundRule rule{.value = fit(examples, std::move(all), size, options, random, cancel)};
  rule.calibration = calibrate(cross_fitted(examples, size, options, random, cancel));
  return rule;
}

RoundPolicy learn_round_policy(const RoundTask& task, VisitReward reward, const RoundLearnerOptions& options,
                               Random& random, const CancelToken* cancel) {
  const auto labels = static_cast<std::size_t>(task.sequences->ngrams().label_count());
  const PairClasses classes = PairClasses::of_labels(labels);
  return learn_round_rule({&task, 1}, {&classes, 1}, reward, options, random, cancel).policy(labels, classes);
}

}  // namespace fovea::sequence
