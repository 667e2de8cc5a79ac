// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <limits>
#include <optional>
#include <span>
#include <vector>

#include "fovea/base/bucket_queue.h"
#include "fovea/base/indexed_heap.h"
#include "fovea/mcmc/step_info.h"
#include "fovea/mcmc/target_law.h"
#include "fovea/sequence/policy/value_function.h"

namespace fovea::sequence {

/// The paper's schedule: the variable with the highest Q over all instances is sampled next. One sweep from left to
/// right comes first, so that every variable has a history. Then follows a priority queue over all sites, keyed by Q.
///
/// Selecting costs O(log n) with IndexedHeap and O(1) with BucketQueue. Re-scoring after a visit takes one queue update
/// for the variable and one for each site of its blanket.
template <class Queue>
class QueueSchedule {
 public:
  using TargetLaw = mcmc::Heuristic;

  /// `labels` is the labeling being sampled; it, `network` and `value` must outlive the schedule. The run settles once
  /// the highest Q is <= `stop_below`.
  QueueSchedule(const SiteNetwork& network, const Assignment& labels, const ValueFunction& value,
                const MetaFeatureOptions& options, std::vector<VariableId> first_sweep,
                float stop_below = -std::numeric_limits<float>::infinity())
      : labels_(&labels),
        value_(&value),
        network_(&network),
        state_(network, labels, options),
        queue_(make_queue({})),
        first_sweep_(std::move(first_sweep)),
        stop_below_(stop_below) {}

  template <class Random>
  std::optional<std::span<const VariableId>> next(Random&) {
    if (swept_ < first_sweep_.size()) return std::span<const VariableId>(first_sweep_).subspan(swept_, 1);
    if (queue_.empty()) return std::nullopt;
    selected_ = queue_.top();
    if (stop_below_ > -std::numeric_limits<float>::infinity() &&
        value_->value(state_.dot(selected_, *labels_, value_->alpha)) <= stop_below_)
      return std::nullopt;
    return std::span<const VariableId>(&selected_, 1);
  }

  std::span<mcmc::SiteInfo> detail(std::span<const VariableId>) { return {&info_, 1}; }

  void observe(std::span<const VariableId> batch, const mcmc::StepInfo& info) {
    const VariableId position = batch[0];
    state_.record(position, info.sites[0], *labels_);
    if (swept_ < first_sweep_.size()) {
      if (++swept_ == first_sweep_.size()) fill_queue();
      return;
    }
    queue_.update(position, priority(position));
    for (const auto& neighbour : network_->neighbours(position))
      queue_.update(neighbour.site, priority(neighbour.site));
  }

  const MetaState& state() const { return state_; }

 private:
  // Buckets cover the priorities seen after the first sweep, with room below because visits lower them.
  Queue make_queue(std::span<const float> priorities) const {
    if constexpr (std::is_same_v<Queue, BucketQueue>) {
      if (priorities.empty()) return BucketQueue(0, 0.0f, 1.0f);
      const auto [low, high] = std::minmax_element(priorities.begin(), priorities.end());
      const float range = *high - *low + 1;
      return BucketQueue(network_->site_count(), *low - 4 * range, *high + range);
    } else {
      return Queue(priorities.empty() ? 0 : network_->site_count());
    }
  }
  void fill_queue() {
    std::vector<float> priorities(first_sweep_.size());
    std::transform(first_sweep_.begin(), first_sweep_.end(), priorities.begin(),
                   [&](VariableId p) { return priority(p); });
    queue_ = make_queue(priorities);
    for (std::size_t i = 0; i < priorities.size(); ++i) queue_.push(first_sweep_[i], priorities[i]);
  }
  float priority(VariableId p) const { return value_->priority(state_.dot(p, *labels_, value_->alpha)); }

  const Assignment* labels_;
  const ValueFunction* value_;
  const SiteNetwork* network_;
  MetaState state_;
  Queue queue_;
  std::vector<VariableId> first_sweep_;
  std::size_t swept_ = 0;
  float stop_below_;
  VariableId selected_ = 0;
  mcmc::SiteInfo info_;
};

using HeapSchedule = QueueSchedule<IndexedHeap>;
using BucketSchedule = QueueSchedule<BucketQueue>;

}  // namespace fovea::sequence
