// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "fovea/base/bucket_queue.h"
#include "fovea/linkage/clustering/partition.h"
#include "fovea/linkage/clustering/record_features.h"
#include "fovea/linkage/clustering/record_rule.h"
#include "fovea/mcmc/target_law.h"

namespace fovea::linkage {

/// What a RecordSchedule remembers of a record.
struct RecordMemory {
  std::uint16_t refusals = 0;  ///< proposals since it last moved
  RecordFeatures::News news = RecordFeatures::News::kNone;

  friend bool operator==(const RecordMemory&, const RecordMemory&) = default;
};

/// Which record to propose a move for: one of which a rule expects the most, equals in turns. Where most records are
/// settled early, what is refused again and again waits longer and longer, unless its cluster changes. It saves nothing
/// where pairs say so little that all records must keep moving until an cluster takes shape. Choosing and remembering
/// take some tens of nanoseconds a proposal.
class RecordSchedule {
 public:
  using TargetLaw = mcmc::Heuristic;

  /// memory: [record], or empty for records of which nothing is known yet.
  RecordSchedule(const RecordRule& rule, const Partition& partition, std::vector<RecordMemory> memory = {});

  RecordId next() const { return queue_.top(); }
  /// What the rule expects of next(), which is less the more is settled.
  double log_gain(const Partition& partition) const { return log_gain(next(), partition); }
  RecordFeatures features(RecordId m, const Partition& partition) const;

  /// To be called after a proposal for m, and after moved().
  void visited(RecordId m, bool accepted, const Partition& partition);
  /// To be called after any move.
  void moved(RecordId m, ClusterId from, ClusterId to, const Partition& partition);

  /// What another schedule goes on from: [record].
  const std::vector<RecordMemory>& memory() const { return memory_; }

 private:
  float log_gain(RecordId m, const Partition& partition) const { return log_gains_[features(m, partition).index()]; }
  void note_news(ClusterId e, RecordFeatures::News news, const Partition& partition);

  std::array<float, RecordFeatures::kCount> log_gains_{};
  std::vector<RecordMemory> memory_;
  SmallBucketQueue queue_;
};

}  // namespace fovea::linkage
