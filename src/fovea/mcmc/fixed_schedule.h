// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <optional>
#include <span>
#include <vector>

#include "fovea/mcmc/step_info.h"
#include "fovea/mcmc/target_law.h"

namespace fovea::mcmc {

/// Visits the same order again and again, `sweeps` times, in batches of at most `batch_size`: cyclic Gibbs sampling
/// when given left_to_right_order(), the fast baseline when given colour_order().
class FixedSchedule {
 public:
  using TargetLaw = Invariant;

  /// With gains, the kernel reports those of each batch.
  FixedSchedule(std::vector<VariableId> order, double sweeps, std::size_t batch_size = 1 << 14, bool with_gains = false)
      : order_(std::move(order)),
        left_(static_cast<std::uint64_t>(sweeps * static_cast<double>(order_.size()))),
        batch_size_(batch_size) {
    if (with_gains) gains_.resize(std::min(batch_size, order_.size()));
  }

  template <class Random>
  std::optional<std::span<const VariableId>> next(Random&) {
    if (left_ == 0) return std::nullopt;
    if (at_ == order_.size()) at_ = 0;
    const std::size_t size = std::min<std::uint64_t>({batch_size_, order_.size() - at_, left_});
    return std::span<const VariableId>(order_).subspan(at_, size);
  }

  VisitRecord detail(std::span<const VariableId>) { return {.gains = gains_.empty() ? nullptr : gains_.data()}; }

  /// A run that reaches its limit visits only the first part of a batch; the next run goes on from there.
  void observe(std::span<const VariableId> batch, const StepInfo&) {
    at_ += batch.size();
    left_ -= batch.size();
  }

 private:
  std::vector<VariableId> order_;
  std::uint64_t left_;
  std::size_t batch_size_;
  std::size_t at_ = 0;
  std::vector<float> gains_;
};

}  // namespace fovea::mcmc
