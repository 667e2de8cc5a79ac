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

/// Adds `sign` times the mean, over kSweeps, of each sequence's log score of the best labeling so far.
template <class Schedule>
void add_scores(const LabelSequences& sequences, Assignment& labels, Schedule& schedule, Random random, double sign,
                std::vector<double>& scores) {
  const SequenceGibbs kernel(sequences);
  BestSoFar best(sequences, labels);
  double done = 0;
  for (const double sweeps : kSweeps) {
    const double target = std::floor(sweeps * static_cast<double>(sequences.token_count()));
    mcmc::run(
        labels, schedule, kernel, {.budget = {.transitions = target - done}}, random,
        [&](std::span<const VariableId> batch, const mcmc::StepInfo& info) { best.observe(batch, info, labels); });
    done = target;
    for (std::size_t s = 0; s < scores.size(); ++s)
      scores[s] += sign * sequences.log_score(s, best.labeling()) / kSweeps.size();
  }
}

}  // namespace

OrderGain gain_over_cyclic(const LabelSequences& sequences, const ValueFunction& value,
                           const MetaFeatureOptions& features, const Random& random) {
  std::vector<double> gains(sequences.sequence_count());
  const Assignment start = random_labels(sequences, random.child("start"));
  Assignment labels = start;
  const SiteNetwork network(sequences);
  HeapSchedule learned(network, labels, value, features, left_to_right_order(sequences));
  add_scores(sequences, labels, learned, random.child("run"), 1, gains);
  Assignment cyclic_labels = start;
  mcmc::FixedSchedule cyclic(left_to_right_order(sequences), kSweeps.back(), std::size_t{1} << 14, true);
  add_scores(sequences, cyclic_labels, cyclic, random.child("run"), -1, gains);
  const auto tokens = static_cast<double>(sequences.token_count()), count = static_cast<double>(gains.size());
  const double total = std::accumulate(gains.begin(), gains.end(), 0.0);
  double squares = 0;
  for (const double gain : gains) squares += (gain - total / count) * (gain - total / count);
  return {.mean = total / tokens, .error = count > 1 ? std::sqrt(squares * count / (count - 1)) / tokens : 0};
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
      if (run.is_cancelled() && !chosen.tried.empty()) return chosen;
      const OrderGain gain = gain_over_cyclic(judging, value, features, run.random.child("judge"));
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
