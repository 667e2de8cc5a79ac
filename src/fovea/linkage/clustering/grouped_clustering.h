// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <utility>

#include "fovea/linkage/clustering/cluster_sums.h"
#include "fovea/linkage/clustering/pair_clustering.h"

namespace fovea::linkage {

/// A PairClustering of AttributePairs that keeps the sums of each cluster, so that its changes are GroupedChanges.
class GroupedClustering {
 public:
  class Change : public RecordChange<AttributePairs> {
   public:
    Change(const GroupedClustering& clustering, RecordId m, ClusterId to)
        : RecordChange(*clustering.model_, clustering.partition_, m, to),
          clustering_(&clustering),
          record_(m),
          to_(to) {}

    mcmc::GroupedSum grouped() const {
      const ClusterSums& sums = clustering_->sums_;
      const Partition& partition = clustering_->partition_;
      mcmc::GroupedSum joined = sums.sum_of_scores(record_, to_, partition);
      const mcmc::GroupedSum left = sums.sum_of_scores(record_, partition.cluster(record_), partition);
      joined.sum -= left.sum;
      joined.factors += left.factors;
      joined.lookups += left.lookups;
      return joined;
    }
    /// Cost of grouped() in factors.
    std::size_t grouped_cost() const {
      const ClusterSums& sums = clustering_->sums_;
      const Partition& partition = clustering_->partition_;
      return sums.cost(partition.cluster(record_), partition) + sums.cost(to_, partition);
    }

   private:
    const GroupedClustering* clustering_;
    RecordId record_;
    ClusterId to_;
  };

  /// `model` must outlive the clustering.
  GroupedClustering(const AttributePairs& model, Partition partition,
                    ClusterSums::Keep keep = ClusterSums::Keep::kWhereWorthwhile)
      : model_(&model), partition_(std::move(partition)), sums_(model, partition_, keep) {}

  const AttributePairs& model() const { return *model_; }
  const Partition& partition() const { return partition_; }
  /// Sum of the pair scores of m with all members of e except m itself.
  mcmc::GroupedSum sum_of_scores(RecordId m, ClusterId e) const { return sums_.sum_of_scores(m, e, partition_); }
  /// Valid until the next move.
  Change change(RecordId m, ClusterId to) const { return {*this, m, to}; }
  void move(RecordId m, ClusterId to) {
    const ClusterId from = partition_.cluster(m);
    if (from == to) return;
    partition_.move(m, to);
    sums_.moved(m, from, to, partition_);
  }

 private:
  const AttributePairs* model_;
  Partition partition_;
  ClusterSums sums_;
};

}  // namespace fovea::linkage
