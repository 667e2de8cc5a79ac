// SPDX-License-Identifier: Apache-2.0
#include "fovea/sequence/policy/policy_choice.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include "fovea/mcmc/fixed_schedule.h"
#include "fovea/mcmc/run.h"
#include "fovea/sequence/policy/queue_schedule.h"
#include "fovea/sequence/sample/best_so_far.h"
#include "fovea/sequence/sample/orders.h"
#include "fovea/sequence/sample/sequence_kernel.h"

namespace fovea::sequence {
namespace {

constexpr std::array kSweeps = {1.5, 2.0, 3.0, 4.0};
constexpr std::size_t kParts = 5;  // one of them is kept aside

LabelSequences part_of(const LabelSequences& all, const std::vector<std::size_t>& members) {
  LabelSequences part(all.ngrams());
  std::vector<std::uint32_t> lengths;
  for (const std::size_t s : members) lengths.push_back(static_cast<std::uint32_t>(all.end(s) - all.begin(s)));
  part.reset(lengths);
  for (std::size_t i = 0; i < members.size(); ++i)
    std::copy(all.unary(all.begin(members[i])), all.unary(all.end(members[i])), part.unary(part.begin(i)));
  return part;
}

Assignment random_labels(const LabelSequences& sequences, Random random) {
  Assignment labels = sequences.make_labeling();
  const auto label_count = static_cast<std::uint32_t>(sequences.ngrams().label_count());
  for (std::size_t s = 0; s < sequences.sequence_count(); ++s)
    for (std::size_t p = sequences.begin(s); p < sequences.end(s); ++p)
      labels[p] = static_cast<Value>(random.uniform_index(label_count));
  return labels;
}

/// Measures orders of visits on some sequences, from the same labels and with the same random numbers; cyclic order, to
/// which they are compared, once.
class Judge {
 public:
  /// `sequences` must outlive it.
  Judge(const LabelSequences& sequences, const Random& random)
      : sequences_(sequences),
        network_(sequences),
        start_(random_labels(sequences, random.child("start"))),
        random_(random.child("run")),
        order_(left_to_right_order(sequences)) {
    Assignment labels = start_;
    mcmc::FixedSchedule schedule(order_, kSweeps.back(), std::size_t{1} << 14, true);
    cyclic_ = scores(labels, schedule);
  }

  OrderGain gain(const ValueFunction& value, const MetaFeatureOptions& features) const {
    Assignment labels = start_;
    HeapSchedule schedule(network_, labels, value, features, order_);
    std::vector<double> gains = scores(labels, schedule);
    for (std::size_t s = 0; s < gains.size(); ++s) gains[s] -= cyclic_[s];
    const auto tokens = static_cast<double>(sequences_.token_count()), count = static_cast<double>(gains.size());
    const double total = std::accumulate(gains.begin(), gains.end(), 0.0);
    double squares = 0;
    for (const double gain : gains) squares += (gain - total / count) * (gain - total / count);
    return {.mean = total / tokens, .error = count > 1 ? std::sqrt(squares * count / (count - 1)) / tokens : 0};
  }

 private:
  /// [sequence], the mean over kSweeps of the log score of the best labeling so far.
  template <class Schedule>
  std::vector<double> scores(Assignment& labels, Schedule& schedule) const {
    const SequenceGibbs kernel(sequences_);
    BestSoFar best(sequences_, labels);
    Random random = random_;
    std::vector<double> scores(sequences_.sequence_count());
    double done = 0;
    for (const double sweeps : kSweeps) {
      const double target = std::floor(sweeps * static_cast<double>(sequences_.token_count()));
      mcmc::run(
          labels, schedule, kernel, {.budget = {.transitions = target - done}}, random,
          [&](std::span<const VariableId> batch, const mcmc::StepInfo& info) { best.observe(batch, info, labels); });
      done = target;
      for (std::size_t s = 0; s < scores.size(); ++s)
        scores[s] += sequences_.log_score(s, best.labeling()) / kSweeps.size();
    }
    return scores;
  }

  const LabelSequences& sequences_;
  SiteNetwork network_;
  Assignment start_;
  Random random_;
  std::vector<VariableId> order_;
  std::vector<double> cyclic_;  // [sequence]
};

}  // namespace

OrderGain gain_over_cyclic(const LabelSequences& sequences, const ValueFunction& value,
                           const MetaFeatureOptions& features, const Random& random) {
  return Judge(sequences, random).gain(value, features);
}

ChosenPolicy choose_policy(const LabelSequences& sequences, const MetaFeatureOptions& features,
                           const PolicyLearnerOptions& options, const PolicyChoiceOptions& choice, const Run& run) {
  validate(choice);
  const bool chooses = choice.seeds > 1 && sequences.sequence_count() >= kParts;
  std::vector<std::size_t> learned_from, kept_aside;
  for (std::size_t s = 0; s < sequences.sequence_count(); ++s) {
    const bool is_aside = chooses && s % kParts == kParts - 1;
    (is_aside ? kept_aside : learned_from).push_back(s);
  }
  const LabelSequences learning = part_of(sequences, learned_from);
  const LabelSequences judging = part_of(sequences, chooses ? kept_aside : learned_from);
  const Judge judge(judging, run.random.child("judge"));
  std::vector<int> horizons = {options.horizon};
  if (chooses && options.horizon > 0) horizons.insert(horizons.begin(), 0);
  ChosenPolicy chosen;
  for (int seed = 0; seed < (chooses ? choice.seeds : 1); ++seed)
    for (const int horizon : horizons) {
      PolicyLearnerOptions tried = options;
      tried.horizon = horizon;
      Random exploring = run.random.child("policy", seed);
      Assignment labels = random_labels(learning, exploring.child("start"));
      ValueFunction value = learn_policy(learning, labels, features, tried, exploring, run.progress, run.stop.cancel);
      if (run.is_cancelled()) {
        if (chosen.tried.empty()) chosen.value = std::move(value);
        return chosen;
      }
      const OrderGain gain = judge.gain(value, features);
      if (chosen.tried.empty() || gain.mean > chosen.gain.mean) {
        chosen.value = std::move(value);
        chosen.horizon = horizon;
        chosen.gain = gain;
      }
      chosen.tried.push_back(gain.mean);
    }
  return chosen;
}

}  // namespace fovea::sequence
