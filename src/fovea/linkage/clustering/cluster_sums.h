// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "fovea/linkage/clustering/member_sums.h"
#include "fovea/linkage/clustering/partition.h"
#include "fovea/mcmc/subsample/factor_change.h"

namespace fovea::linkage {

/// The MemberSums of clusters. Every move updates those of both clusters, but most proposals are refused and take only
/// look-ups. Clusters of few members have no sums: their pairs are added up, as factors.
class ClusterSums {
 public:
  enum class Keep { kNone, kWhereWorthwhile };

  /// `model` must outlive it. With Keep::kNone all pairs are factors.
  ClusterSums(const AttributePairs& model, const Partition& partition, Keep keep = Keep::kWhereWorthwhile);

  /// Over all n in e but m itself.
  mcmc::GroupedSum sum_of_scores(RecordId m, ClusterId e, const Partition& partition) const;
  /// What that costs, in factors; reading sums costs about as much as one, which reads each attribute, too.
  std::size_t cost(ClusterId e, const Partition& partition) const { return row_[e] == kNoRow ? partition.size(e) : 1; }

  /// To be called after m has moved.
  void moved(RecordId m, ClusterId from, ClusterId to, const Partition& partition);

 private:
  static constexpr std::uint32_t kNoRow = 0xFFFFFFFF;

  void open_row(ClusterId e, const Partition& partition);
  void close_row(ClusterId e);

  const AttributePairs* model_;
  std::size_t worthwhile_;          // an cluster gets its sums with so many members and loses them with half as many
  std::vector<std::uint32_t> row_;  // [cluster], or kNoRow
  std::vector<MemberSums> rows_;
  std::vector<std::uint32_t> free_rows_;
};

}  // namespace fovea::linkage
