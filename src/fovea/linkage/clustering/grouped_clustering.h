// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <utility>

#include "fovea/linkage/clustering/entity_sums.h"
#include "fovea/linkage/clustering/pair_clustering.h"

namespace fovea::linkage {

/// A PairClustering of AttributePairs that keeps the sums of each entity, so that its changes are GroupedChanges.
class GroupedClustering {
 public:
  class Change : public MentionChange<AttributePairs> {
   public:
    Change(const GroupedClustering& clustering, MentionId m, EntityId to)
        : MentionChange(*clustering.model_, clustering.partition_, m, to),
          clustering_(&clustering),
          mention_(m),
          to_(to) {}

    mcmc::GroupedSum grouped() const {
      const EntitySums& sums = clustering_->sums_;
      const Partition& partition = clustering_->partition_;
      mcmc::GroupedSum joined = sums.sum_of_scores(mention_, to_, partition);
      const mcmc::GroupedSum left = sums.sum_of_scores(mention_, partition.entity(mention_), partition);
      joined.sum -= left.sum;
      joined.factors += left.factors;
      joined.lookups += left.lookups;
      return joined;
    }
    /// What grouped() takes, in factors.
    std::size_t grouped_cost() const {
      const EntitySums& sums = clustering_->sums_;
      const Partition& partition = clustering_->partition_;
      return sums.cost(partition.entity(mention_), partition) + sums.cost(to_, partition);
    }

   private:
    const GroupedClustering* clustering_;
    MentionId mention_;
    EntityId to_;
  };

  /// `model` must outlive the clustering.
  GroupedClustering(const AttributePairs& model, Partition partition,
                    EntitySums::Keep keep = EntitySums::Keep::kWhereWorthwhile)
      : model_(&model), partition_(std::move(partition)), sums_(model, partition_, keep) {}

  const AttributePairs& model() const { return *model_; }
  const Partition& partition() const { return partition_; }
  /// Over all n in e but m itself.
  mcmc::GroupedSum sum_of_scores(MentionId m, EntityId e) const { return sums_.sum_of_scores(m, e, partition_); }
  /// Valid until the next move.
  Change change(MentionId m, EntityId to) const { return {*this, m, to}; }
  void move(MentionId m, EntityId to) {
    const EntityId from = partition_.entity(m);
    if (from == to) return;
    partition_.move(m, to);
    sums_.moved(m, from, to, partition_);
  }

 private:
  const AttributePairs* model_;
  Partition partition_;
  EntitySums sums_;
};

}  // namespace fovea::linkage
