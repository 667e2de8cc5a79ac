// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "fovea/graph/chains.h"
#include "fovea/sample/step_info.h"

namespace fovea {

/// Remembers each sequence's best-scoring labeling among all samples so far, from the gains that a kernel reports.
/// O(1) per visit, plus O(length) when a sequence reaches a new best.
class BestSoFar {
 public:
  BestSoFar(const Chains& chains, const Assignment& start)
      : chains_(&chains), best_(start), sequence_(start.size()), above_best_(chains.sequence_count(), 0.0) {
    for (std::size_t s = 0; s < chains.sequence_count(); ++s)
      std::fill(sequence_.begin() + chains.begin(s), sequence_.begin() + chains.end(s), static_cast<std::uint32_t>(s));
  }

  /// Call after every step with details. `current` must be the labeling after the batch; with batches of more than one
  /// visit, states between them are not seen.
  void observe(std::span<const VariableId> batch, const StepInfo& info, const Assignment& current) {
    for (std::size_t i = 0; i < batch.size(); ++i) above_best_[sequence_[batch[i]]] += double{info.sites[i].log_gain};
    for (const VariableId v : batch) {
      const std::uint32_t s = sequence_[v];
      if (above_best_[s] <= 0) continue;
      std::copy(current.begin() + chains_->begin(s), current.begin() + chains_->end(s),
                best_.begin() + chains_->begin(s));
      above_best_[s] = 0;
    }
  }

  const Assignment& labeling() const { return best_; }

 private:
  const Chains* chains_;
  Assignment best_;
  std::vector<std::uint32_t> sequence_;  // [position]
  std::vector<double> above_best_;       // [sequence] log p(current) - log p(best)
};

}  // namespace fovea
