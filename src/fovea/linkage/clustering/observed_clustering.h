// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "fovea/linkage/clustering/partition.h"

namespace fovea::linkage {

/// A PairClustering or GroupedClustering that tells of its moves: on_move(record, from, to), after each.
template <class Clustering, class OnMove>
class ObservedClustering {
 public:
  /// Both must outlive it.
  ObservedClustering(Clustering& clustering, OnMove& on_move) : clustering_(&clustering), on_move_(&on_move) {}

  const auto& model() const { return clustering_->model(); }
  const Partition& partition() const { return clustering_->partition(); }
  auto sum_of_scores(RecordId m, ClusterId e) const { return clustering_->sum_of_scores(m, e); }
  auto change(RecordId m, ClusterId to) const { return clustering_->change(m, to); }
  /// To another cluster.
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
