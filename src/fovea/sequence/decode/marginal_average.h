// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "fovea/base/aligned.h"
#include "fovea/mcmc/run.h"
#include "fovea/sequence/model/label_sequences.h"
#include "fovea/sequence/sample/sequence_kernel.h"

namespace fovea::sequence {

/// Token marginals from Gibbs samples, Rao-Blackwellised: the mean over visits of p(y_v | rest) in the state after the
/// batch. It has the same expectation as counting samples, and less variance.
class MarginalAverage {
 public:
  explicit MarginalAverage(const LabelSequences& sequences)
      : sequences_(&sequences), sums_(sequences.position_count() * sequences.ngrams().stride()) {}

  void add(std::span<const VariableId> batch, const Assignment& labels) {
    add_conditionals(*sequences_, labels, batch, sums_.data());
  }

  /// Gives each token that was not seen its conditional in the final state.
  void add_unseen(const Assignment& labels) {
    const std::size_t stride = sequences_->ngrams().stride();
    std::vector<VariableId> unseen;
    for (std::size_t s = 0; s < sequences_->sequence_count(); ++s)
      for (std::size_t p = sequences_->begin(s); p < sequences_->end(s); ++p) {
        const auto row = sums_.begin() + static_cast<std::ptrdiff_t>(p * stride);
        if (std::all_of(row, row + static_cast<std::ptrdiff_t>(stride), [](float x) { return x == 0; }))
          unseen.push_back(static_cast<VariableId>(p));
      }
    add(unseen, labels);
  }

  /// Normalises, and sets each token that was seen to its likeliest label.
  void finish(Assignment& labels) {
    const std::size_t stride = sequences_->ngrams().stride();
    const auto label_count = static_cast<std::ptrdiff_t>(sequences_->ngrams().label_count());
    for (std::size_t s = 0; s < sequences_->sequence_count(); ++s)
      for (std::size_t p = sequences_->begin(s); p < sequences_->end(s); ++p) {
        const auto row = sums_.begin() + static_cast<std::ptrdiff_t>(p * stride);
        float total = 0;
        std::for_each(row, row + label_count, [&](float x) { total += x; });
        if (!(total > 0)) continue;
        std::for_each(row, row + label_count, [&](float& x) { x /= total; });
        labels[p] = static_cast<Value>(std::max_element(row, row + label_count) - row);
      }
  }

  const AlignedVector<float>& marginals() const { return sums_; }

 private:
  const LabelSequences* sequences_;
  AlignedVector<float> sums_;  // [position][label]
};

/// Runs `schedule` and adds its visits after the first `burn_in` transitions to `average`. Compiles only where kernel
/// and schedule leave the model's law invariant: a schedule that looks at the labels would bias the average. `observe`
/// sees every batch.
template <class Schedule, class Kernel, class Random, class Observer>
requires mcmc::kLeavesTargetInvariant<Kernel, Schedule> RunSummary
run_for_marginals(Assignment& labels, Schedule& schedule, const Kernel& kernel, const Run& limits, Random& random,
                  double burn_in, MarginalAverage& average, Observer&& observe) {
  std::uint64_t transitions = 0;
  return mcmc::run(labels, schedule, kernel, limits, random, [&](auto batch, const mcmc::StepInfo& info) {
    transitions += info.work.transitions;
    if (static_cast<double>(transitions) > burn_in) average.add(batch, labels);
    observe(batch, info);
  });
}

}  // namespace fovea::sequence
