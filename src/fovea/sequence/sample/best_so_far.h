// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "fovea/mcmc/step_info.h"
#include "fovea/sequence/model/label_sequences.h"

namespace fovea::sequence {

/// Remembers each sequence's best-scoring labeling among all samples so far, including those between the visits of a
/// batch, from the gains that a kernel reports. Amortised O(1) per visit.
class BestSoFar {
 public:
  /// `label_sequences` must outlive it.
  BestSoFar(const LabelSequences& label_sequences, const Assignment& start);

  /// To be called after every step of a kernel that reports gains or sites. No variable may occur twice in the batch;
  /// `current` is the labeling after it.
  void observe(std::span<const VariableId> batch, const mcmc::StepInfo& info, const Assignment& current);

  const Assignment& labeling() const { return best_; }

 private:
  struct Sequence {
    double above_best = 0;      // log p(current) - log p(best)
    std::size_t unsettled = 0;  // number of changes since the best labeling, up to the length
  };
  void keep_current(std::size_t s);

  const LabelSequences* label_sequences_;
  Assignment best_, current_;            // current_: as of the last visit observed
  std::vector<std::uint32_t> sequence_;  // [position]
  std::vector<Sequence> sequences_;
  // Places of the `unsettled` changes, from the sequence's first position on; if they fill it, changes may be anywhere.
  std::vector<VariableId> changed_;
};

}  // namespace fovea::sequence
