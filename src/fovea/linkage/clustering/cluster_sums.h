// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "fovea/linkage/clustering/member_sums.h"
#include "fovea/linkage/clustering/partition.h"
#include "fovea/mcmc/subsample/factor_change.h"

namespace fovea::linkage {

/// MemberSums of clusters. Every move updates the sums of both clusters, but most proposals are refused and take only
/// look-ups. Small clusters have no sums: their pairs are added up, and count as factors.
class ClusterSums {
 public:
  enum class Keep { kNone, kWhereWorthwhile };

  /// `model` must outlive the object. With Keep::kNone no sums are kept, and all pairs count as factors.
  ClusterSums(const AttributePairs& model, const Partition& partition, Keep keep = Keep::kWhereWorthwhile);

  /// Sum of the pair scores of m with all members of e except m itself.
  mcmc::GroupedSum sum_of_scores(RecordId m, ClusterId e, const Partition& partition) const;
  /// Cost of sum_of_scores() in factors. Reading sums costs about as much as one factor, which also reads each
  /// attribute.
  std::size_t cost(ClusterId e, const Partition& partition) const { return row_[e] == kNoRow ? partition.size(e) : 1; }

  /// Updates the sums; to be called after m has moved.
  void moved(RecordId m, ClusterId from, ClusterId to, const Partition& partition);

 private:
  static constexpr std::uint32_t kNoRow = 0xFFFFFFFF;

  void open_row(ClusterId e, const Partition& partition);
  void close_row(ClusterId e);

  const AttributePairs* model_;
  std::size_t worthwhile_;          // a cluster gets its sums at this size and loses them at half of it
  std::vector<std::uint32_t> row_;  // [cluster], or kNoRow
  std::vector<MemberSums> rows_;
  std::vector<std::uint32_t> free_rows_;
};

}  // namespace fovea::linkage
