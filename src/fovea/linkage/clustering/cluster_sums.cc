// SPDX-License-Identifier: Apache-2.0
#include "fovea/linkage/clustering/cluster_sums.h"

#include <algorithm>
#include <limits>

#include "fovea/linkage/clustering/pair_clustering.h"

namespace fovea::linkage {
namespace {

/// Size from which on a cluster's sums pay off. A move updates every value; in return, each proposal between two moves
/// saves factors. A factor costs about as much as 5 values, and there are about ten proposals between moves.
std::size_t worthwhile_members(const AttributePairs& model) {
  return std::max<std::size_t>(16, MemberSums::dense_values(model) / 64);
}

}  // namespace

ClusterSums::ClusterSums(const AttributePairs& model, const Partition& partition, Keep keep)
    : model_(&model),
      worthwhile_(keep == Keep::kNone ? std::numeric_limits<std::size_t>::max() : worthwhile_members(model)),
      row_(partition.record_count(), kNoRow) {
  for (std::size_t i = 0; i < partition.cluster_count(); ++i)
    if (const ClusterId e = partition.nth_cluster(i); partition.size(e) >= worthwhile_) open_row(e, partition);
}

mcmc::GroupedSum ClusterSums::sum_of_scores(RecordId m, ClusterId e, const Partition& partition) const {
  const bool is_member = partition.cluster(m) == e;
  if (row_[e] == kNoRow)
    return {.sum = linkage::sum_of_scores(*model_, m, e, partition), .factors = partition.size(e) - is_member};
  const double self = is_member ? model_->pair_score(m, m) : 0;
  return {.sum = rows_[row_[e]].sum(m) - self, .lookups = model_->attribute_count()};
}

void ClusterSums::moved(RecordId m, ClusterId from, ClusterId to, const Partition& partition) {
  if (row_[from] != kNoRow) {
    if (2 * partition.size(from) > worthwhile_) rows_[row_[from]].remove(m);
    else close_row(from);
  }
  if (row_[to] != kNoRow) rows_[row_[to]].add(m);
  else if (partition.size(to) >= worthwhile_) open_row(to, partition);
}

void ClusterSums::open_row(ClusterId e, const Partition& partition) {
  if (free_rows_.empty()) {
    free_rows_.push_back(static_cast<std::uint32_t>(rows_.size()));
    rows_.emplace_back(*model_);
  }
  row_[e] = free_rows_.back();
  free_rows_.pop_back();
  for (const RecordId m : partition.members(e)) rows_[row_[e]].add(m);
}

void ClusterSums::close_row(ClusterId e) {
  rows_[row_[e]].clear();
  free_rows_.push_back(row_[e]);
  row_[e] = kNoRow;
}

}  // namespace fovea::linkage
