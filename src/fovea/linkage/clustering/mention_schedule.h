// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "fovea/base/bucket_queue.h"
#include "fovea/linkage/clustering/mention_features.h"
#include "fovea/linkage/clustering/mention_rule.h"
#include "fovea/linkage/clustering/partition.h"
#include "fovea/mcmc/target_law.h"

namespace fovea::linkage {

/// What a MentionSchedule remembers of a mention.
struct MentionMemory {
  std::uint16_t refusals = 0;  ///< proposals since it last moved
  MentionFeatures::News news = MentionFeatures::News::kNone;

  friend bool operator==(const MentionMemory&, const MentionMemory&) = default;
};

/// Which mention to propose a move for: one of which a rule expects the most, equals in turns. Where most mentions are
/// settled early, what is refused again and again waits longer and longer, unless its entity changes. It saves nothing
/// where pairs say so little that all mentions must keep moving until an entity takes shape. Choosing and remembering
/// take some tens of nanoseconds a proposal.
class MentionSchedule {
 public:
  using TargetLaw = mcmc::Heuristic;

  /// memory: [mention], or empty for mentions of which nothing is known yet.
  MentionSchedule(const MentionRule& rule, const Partition& partition, std::vector<MentionMemory> memory = {});

  MentionId next() const { return queue_.top(); }
  /// What the rule expects of next(), which is less the more is settled.
  double log_gain(const Partition& partition) const { return log_gain(next(), partition); }
  MentionFeatures features(MentionId m, const Partition& partition) const;

  /// To be called after a proposal for m, and after moved().
  void visited(MentionId m, bool accepted, const Partition& partition);
  /// To be called after any move.
  void moved(MentionId m, EntityId from, EntityId to, const Partition& partition);

  /// What another schedule goes on from: [mention].
  const std::vector<MentionMemory>& memory() const { return memory_; }

 private:
  float log_gain(MentionId m, const Partition& partition) const { return log_gains_[features(m, partition).index()]; }
  void tell(EntityId e, MentionFeatures::News news, const Partition& partition);

  std::array<float, MentionFeatures::kCount> log_gains_{};
  std::vector<MentionMemory> memory_;
  SmallBucketQueue queue_;
};

}  // namespace fovea::linkage
