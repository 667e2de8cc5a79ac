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

/// Memory of a RecordSchedule about one record.
struct RecordMemory {
  std::uint16_t refusals = 0;  ///< proposals refused since it last moved
  RecordFeatures::News news = RecordFeatures::News::kNone;

  friend bool operator==(const RecordMemory&, const RecordMemory&) = default;
};

/// Chooses the record to propose a move for: one with the highest gain that a rule expects; equal ones take turns.
/// Records that are refused again and again wait longer and longer unless their cluster changes, which helps where most
/// records settle early. It saves nothing where pairs carry so little evidence that all records must keep moving until
/// a cluster takes shape. Choosing and remembering take some tens of nanoseconds per proposal.
class RecordSchedule {
 public:
  using TargetLaw = mcmc::Heuristic;

  /// memory: [record], or empty if nothing is known yet.
  RecordSchedule(const RecordRule& rule, const Partition& partition, std::vector<RecordMemory> memory = {});

  RecordId next() const { return queue_.top(); }
  /// Log gain that the rule expects of next(). It falls as records settle.
  double log_gain(const Partition& partition) const { return log_gain(next(), partition); }
  RecordFeatures features(RecordId m, const Partition& partition) const;

  /// Notes a proposal for m; to be called after the proposal, and after moved().
  void visited(RecordId m, bool accepted, const Partition& partition);
  /// Notes a move; to be called after every move.
  void moved(RecordId m, ClusterId from, ClusterId to, const Partition& partition);

  /// Memory with which another schedule can continue: [record].
  const std::vector<RecordMemory>& memory() const { return memory_; }

 private:
  float log_gain(RecordId m, const Partition& partition) const { return log_gains_[features(m, partition).index()]; }
  void note_news(ClusterId e, RecordFeatures::News news, const Partition& partition);

  std::array<float, RecordFeatures::kCount> log_gains_{};
  std::vector<RecordMemory> memory_;
  SmallBucketQueue queue_;
};

}  // namespace fovea::linkage
