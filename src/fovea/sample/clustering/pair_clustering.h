// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <concepts>
#include <span>
#include <utility>

#include "fovea/sample/clustering/partition.h"
#include "fovea/sample/subsample/factor_change.h"

namespace fovea {

/// Clusterings scored by pairs (Singh, Wick and McCallum 2012, section 4.2):
///
///   psi(y) = sum over entities e, sum over pairs {m, n} of e: pair_score(m, n)
///
/// in the log domain: a pair within one entity adds its score, a pair apart adds nothing.
template <class Model>
concept PairModel = requires(const Model& model, MentionId m, MentionId n) {
  { model.pair_score(m, n) } -> std::convertible_to<double>;
};

/// The factors that change when a mention leaves its entity for another: those with its old companions vanish, those
/// with its new ones appear. A StratifiedChange (sample/subsample/factor_change.h), and a BoundedChange if the model
/// has a bound.
template <PairModel Model>
class MentionChange {
 public:
  MentionChange(const Model& model, const Partition& partition, MentionId m, EntityId to)
      : model_(&model),
        mention_(m),
        place_(partition.place(m)),
        left_(partition.members(partition.entity(m))),
        joined_(partition.members(to)) {}

  std::size_t vanishing() const { return left_.size() - 1; }
  std::size_t size() const { return vanishing() + joined_.size(); }

  double difference(std::size_t j) const {
    if (j >= vanishing()) return model_->pair_score(mention_, joined_[j - vanishing()]);
    return -model_->pair_score(mention_, left_[j < place_ ? j : j + 1]);
  }

  /// |pair_score| is at most this.
  double bound() const requires requires(const Model& model, MentionId m) { model.score_bound(m); }
  { return model_->score_bound(mention_); }

 private:
  const Model* model_;
  MentionId mention_;
  std::size_t place_;
  std::span<const MentionId> left_, joined_;
};

/// The state of a chain over clusterings: a partition and the model that scores it.
template <PairModel Model>
class PairClustering {
 public:
  /// `model` must outlive the clustering.
  PairClustering(const Model& model, Partition partition) : model_(&model), partition_(std::move(partition)) {}

  const Model& model() const { return *model_; }
  const Partition& partition() const { return partition_; }
  /// Over all n in e but m itself.
  GroupedSum sum_of_scores(MentionId m, EntityId e) const {
    GroupedSum pairs;
    for (const MentionId n : partition_.members(e))
      if (n != m) pairs.sum += model_->pair_score(m, n);
    pairs.factors = partition_.size(e) - (partition_.entity(m) == e);
    return pairs;
  }
  /// Valid until the next move.
  MentionChange<Model> change(MentionId m, EntityId to) const { return {*model_, partition_, m, to}; }
  void move(MentionId m, EntityId to) { partition_.move(m, to); }

 private:
  const Model* model_;
  Partition partition_;
};

}  // namespace fovea
