// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "fovea/linkage/clustering/partition.h"
#include "fovea/mcmc/subsample/factor_change.h"

namespace fovea::linkage {

/// Sum of the pair scores between two clusters of a PairClustering or GroupedClustering.
template <class Clustering>
mcmc::GroupedSum score_between(const Clustering& clustering, ClusterId e, ClusterId f) {
  const Partition& partition = clustering.partition();
  const bool e_is_smaller = partition.size(e) < partition.size(f);
  mcmc::GroupedSum total;
  for (const RecordId m : partition.members(e_is_smaller ? e : f)) {
    const mcmc::GroupedSum grouped = clustering.sum_of_scores(m, e_is_smaller ? f : e);
    total.sum += grouped.sum;
    total.factors += grouped.factors;
    total.lookups += grouped.lookups;
  }
  return total;
}

/// psi(y), the sum of the pair scores within clusters.
template <class Clustering>
double log_score(const Clustering& clustering) {
  const Partition& partition = clustering.partition();
  double twice = 0;
  for (RecordId m = 0; m < partition.record_count(); ++m)
    twice += clustering.sum_of_scores(m, partition.cluster(m)).sum;
  return twice / 2;
}

/// A PairClustering or GroupedClustering that reports its moves: it calls on_move(record, from, to) after each.
template <class Clustering, class OnMove>
class ObservedClustering {
 public:
  /// Both must outlive it.
  ObservedClustering(Clustering& clustering, OnMove& on_move) : clustering_(&clustering), on_move_(&on_move) {}

  const auto& model() const { return clustering_->model(); }
  const Partition& partition() const { return clustering_->partition(); }
  auto sum_of_scores(RecordId m, ClusterId e) const { return clustering_->sum_of_scores(m, e); }
  auto change(RecordId m, ClusterId to) const { return clustering_->change(m, to); }
  /// Moves m to another cluster.
  void move(RecordId m, ClusterId to) {
    const ClusterId from = partition().cluster(m);
    clustering_->move(m, to);
    (*on_move_)(m, from, to);
  }

 private:
  Clustering* clustering_;
  OnMove* on_move_;
};

}  // namespace fovea::linkage
