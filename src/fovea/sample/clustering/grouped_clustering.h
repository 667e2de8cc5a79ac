// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <utility>

#include "fovea/sample/clustering/entity_counts.h"
#include "fovea/sample/clustering/pair_clustering.h"

namespace fovea {

/// A PairClustering of AttributePairs that keeps the counts of each entity, so that its changes are GroupedChanges.
class GroupedClustering {
 public:
  class Change : public MentionChange<AttributePairs> {
   public:
    Change(const GroupedClustering& clustering, MentionId m, EntityId to)
        : MentionChange(*clustering.model_, clustering.partition_, m, to),
          clustering_(&clustering),
          mention_(m),
          to_(to) {}

    double total() const {
      const EntityCounts& counts = clustering_->counts_;
      const double with_itself = clustering_->model_->pair_score(mention_, mention_);
      return counts.sum_of_scores(mention_, to_) - (counts.sum_of_scores(mention_, from()) - with_itself);
    }
    std::size_t lookups() const { return clustering_->counts_.lookups(to_) + clustering_->counts_.lookups(from()); }

   private:
    EntityId from() const { return clustering_->partition_.entity(mention_); }

    const GroupedClustering* clustering_;
    MentionId mention_;
    EntityId to_;
  };

  /// `model` must outlive the clustering.
  GroupedClustering(const AttributePairs& model, Partition partition)
      : model_(&model), partition_(std::move(partition)), counts_(model, partition_) {}

  const AttributePairs& model() const { return *model_; }
  const Partition& partition() const { return partition_; }
  /// Valid until the next move.
  Change change(MentionId m, EntityId to) const { return {*this, m, to}; }
  void move(MentionId m, EntityId to) {
    counts_.remove(m, partition_.entity(m));
    counts_.add(m, to);
    partition_.move(m, to);
  }

 private:
  const AttributePairs* model_;
  Partition partition_;
  EntityCounts counts_;
};

}  // namespace fovea
