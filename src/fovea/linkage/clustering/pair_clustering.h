// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <span>
#include <utility>

#include "fovea/linkage/clustering/partition.h"
#include "fovea/mcmc/subsample/factor_change.h"

namespace fovea::linkage {

/// Model that scores clusterings by pairs (Singh, Wick and McCallum 2012, section 4.2):
///
///   psi(y) = sum over clusters e, sum over pairs {m, n} of e: pair_score(m, n)
///
/// in the log domain: a pair within one cluster adds its score, a pair apart adds nothing.
template <class Model>
concept PairModel = requires(const Model& model, RecordId m, RecordId n) {
  { model.pair_score(m, n) } -> std::convertible_to<double>;
};

/// Sum of the pair scores of m with each of `others`, which must not contain m.
template <PairModel Model>
double sum_of_scores(const Model& model, RecordId m, std::span<const RecordId> others) {
  if constexpr (requires { model.sum_of_scores(m, others); }) return model.sum_of_scores(m, others);
  double sum = 0;
  for (const RecordId n : others) sum += model.pair_score(m, n);
  return sum;
}

/// Sum of the pair scores of m with all members of a cluster except m itself.
template <PairModel Model>
double sum_of_scores(const Model& model, RecordId m, ClusterId e, const Partition& partition) {
  const std::span<const RecordId> members = partition.members(e);
  if (partition.cluster(m) != e) return sum_of_scores(model, m, members);
  const std::size_t place = partition.place(m);
  return sum_of_scores(model, m, members.first(place)) + sum_of_scores(model, m, members.subspan(place + 1));
}

/// The factors that change when a record leaves its cluster for another: those with its old companions vanish, those
/// with its new ones appear. A StratifiedChange (mcmc/subsample/factor_change.h), and a BoundedChange if the model
/// has a bound.
template <PairModel Model>
class RecordChange {
 public:
  RecordChange(const Model& model, const Partition& partition, RecordId m, ClusterId to)
      : model_(&model),
        record_(m),
        place_(partition.place(m)),
        left_(partition.members(partition.cluster(m))),
        joined_(partition.members(to)) {}

  std::size_t vanishing() const { return left_.size() - 1; }
  std::size_t size() const { return vanishing() + joined_.size(); }

  double difference(std::size_t j) const {
    if (j >= vanishing()) return model_->pair_score(record_, joined_[j - vanishing()]);
    return -model_->pair_score(record_, left_[j < place_ ? j : j + 1]);
  }

  /// Sum of the differences in a range, all at once.
  double sum(mcmc::FactorRange range) const {
    return part(joined_, vanishing(), range) - part(left_.first(place_), 0, range) -
           part(left_.subspan(place_ + 1), place_, range);
  }

  /// Cost of one randomly drawn difference, compared with one within sum(): higher for models that sum scores
  /// themselves.
  double draw_cost() const {
    if constexpr (requires { model_->sum_of_scores(record_, joined_); }) return kCostOfDraw;
    else return 1;
  }

  /// Upper bound of |pair_score|.
  double bound() const requires requires(const Model& model, RecordId m) { model.score_bound(m); }
  { return model_->score_bound(record_); }

 private:
  static constexpr double kCostOfDraw = 6;  // measured with AttributePairs

  /// Sum of the scores with those of `others` that lie in the range. `others` are the factors from `offset` on.
  double part(std::span<const RecordId> others, std::size_t offset, mcmc::FactorRange range) const {
    const std::size_t begin = std::max(range.begin, offset) - offset;
    const std::size_t end = std::min(std::max(range.end, offset) - offset, others.size());
    return begin < end ? sum_of_scores(*model_, record_, others.subspan(begin, end - begin)) : 0;
  }

  const Model* model_;
  RecordId record_;
  std::size_t place_;
  std::span<const RecordId> left_, joined_;
};

/// The state of a chain over clusterings: a partition and the model that scores it.
template <PairModel Model>
class PairClustering {
 public:
  /// `model` must outlive the clustering.
  PairClustering(const Model& model, Partition partition) : model_(&model), partition_(std::move(partition)) {}

  const Model& model() const { return *model_; }
  const Partition& partition() const { return partition_; }
  /// Sum of the pair scores of m with all members of e except m itself.
  mcmc::GroupedSum sum_of_scores(RecordId m, ClusterId e) const {
    return {.sum = linkage::sum_of_scores(*model_, m, e, partition_),
            .factors = partition_.size(e) - (partition_.cluster(m) == e)};
  }
  /// Valid until the next move.
  RecordChange<Model> change(RecordId m, ClusterId to) const { return {*model_, partition_, m, to}; }
  void move(RecordId m, ClusterId to) { partition_.move(m, to); }

 private:
  const Model* model_;
  Partition partition_;
};

}  // namespace fovea::linkage
