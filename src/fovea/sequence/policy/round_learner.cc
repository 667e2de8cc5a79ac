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

/// Layout of the parameters of a RoundPolicy while it is learned as a plain value function.
struct Layout {
  explicit Layout(std::size_t labels)
      : base(labels + 1), left(kDoubtBuckets), right(left + base * base), changed(right + base * base) {}

  std::size_t base, left, right, changed;
  std::size_t size() const { return changed + 1; }

  MetaVector features(const Assignment& y, float doubt, VariableId p, int changes) const {
    MetaVector phi;
    phi.add(static_cast<std::uint32_t>(doubt_bucket(doubt)), 1);
    phi.add(static_cast<std::uint32_t>(left + y[p - 1] * base + y[p]), 1);
    phi.add(static_cast<std::uint32_t>(right + y[p] * base + y[p + 1]), 1);
    if (changes > 0) phi.add(static_cast<std::uint32_t>(changed), static_cast<float>(changes));
    return phi;
  }

  RoundPolicy policy(const ValueFunction& value) const {
    RoundPolicy result(base - 1);
    // w sigma(s) + b = -w sigma(-s) + (w + b): learning may end at either form, but the schedule needs w > 0.
    const float sign = value.w < 0 ? -1.0f : 1.0f;
    const auto take = [&](std::size_t from, std::span<float> into) {
      for (std::size_t i = 0; i < into.size(); ++i) into[i] = sign * value.alpha[from + i];
    };
    take(0, result.doubt);
    take(left, result.left);
    take(right, result.right);
    take(changed, {&result.changed, 1});
    result.w = sign * value.w;
    result.b = value.w < 0 ? value.w + value.b : value.b;
    return result;
  }
};

struct Example {
  MetaVector phi;
  float gain;
  VariableId site;
};

/// Collects examples of what visits gain from a given start.
class Collector {
 public:
  Collector(const LabelSequences& sequences, const Assignment& labels, std::span<const float> doubt,
            const CancelToken* cancel)
      : sequences_(sequences),
        cancel_(cancel),
        layout_(sequences.ngrams().label_count()),
        y_(labels),
        doubt_(doubt.begin(), doubt.end()),
        changes_(labels.size()),
        reach_(sequences.ngrams().order()),
        best_(sequences),
        sample_(sequences) {}

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

  std::vector<Example> examples;
  const Layout& layout() const { return layout_; }
  bool is_cancelled() const { return cancel_ && cancel_->cancelled(); }

 private:
  bool is_pad(std::size_t p) const { return y_[p] == sequences_.ngrams().pad(); }

  void add(VariableId p, float reward) {
    examples.push_back({layout_.features(y_, doubt_[p], p, changes_[p]), bounded_reward(reward), p});
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
  const CancelToken* cancel_;
  Layout layout_;
  Assignment y_;
  std::vector<float> doubt_;
  std::vector<int> changes_;  // [position] number of neighbours changed since its last visit
  std::size_t reach_;
  SequenceIcm best_;
  SequenceGibbs sample_;
  Random unused_{0};
};

/// Fits a value function to the examples of some sites.
ValueFunction fit(const Collector& collector, std::vector<std::uint32_t> order, const RoundLearnerOptions& options,
                  Random& random) {
  ValueFunction value(collector.layout().size());
  ValueLearner learner(value, options.rate);
  for (int epoch = 0; epoch < options.epochs && !collector.is_cancelled(); ++epoch) {
    shuffle(std::span(order), random);
    for (const std::uint32_t i : order) learner.update(collector.examples[i].phi, collector.examples[i].gain);
  }
  return value;
}

/// The gain of each example, at the score that it has by weights learned from the other half of the sequences.
std::vector<GainCalibration::Knot> cross_fitted(const LabelSequences& sequences, const Collector& collector,
                                                const RoundLearnerOptions& options, Random& random) {
  std::vector<char> half(sequences.position_count());
  for (std::size_t s = 1; s < sequences.sequence_count(); s += 2)
    std::fill(half.begin() + static_cast<std::ptrdiff_t>(sequences.begin(s)),
              half.begin() + static_cast<std::ptrdiff_t>(sequences.end(s)), char{1});
  std::array<std::vector<std::uint32_t>, 2> halves;
  for (std::uint32_t i = 0; i < collector.examples.size(); ++i)
    halves[static_cast<std::size_t>(half[collector.examples[i].site])].push_back(i);
  std::vector<GainCalibration::Knot> visits;
  for (const std::size_t learning : {0, 1}) {
    const ValueFunction value = fit(collector, halves[learning], options, random);
    const float sign = value.w < 0 ? -1.0f : 1.0f;
    for (const std::uint32_t i : halves[1 - learning])
      visits.push_back({sign * value.dot(collector.examples[i].phi), collector.examples[i].gain});
  }
  return visits;
}

}  // namespace

RoundPolicy learn_round_policy(const LabelSequences& sequences, const Assignment& labels, std::span<const float> doubt,
                               VisitReward reward, const RoundLearnerOptions& options, Random& random,
                               const CancelToken* cancel) {
  validate(options);
  FOVEA_CHECK(sequences.ngrams().factor_size() > 1);
  Collector collector(sequences, labels, doubt, cancel);
  if (reward == VisitReward::kBest) collector.collect_best();
  else collector.collect_samples(random);
  std::vector<std::uint32_t> all(collector.examples.size());
  std::iota(all.begin(), all.end(), 0u);
  RoundPolicy policy = collector.layout().policy(fit(collector, std::move(all), options, random));
  policy.calibration = calibrate(cross_fitted(sequences, collector, options, random));
  return policy;
}

}  // namespace fovea::sequence
