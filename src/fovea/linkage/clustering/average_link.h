// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "fovea/linkage/clustering/pair_clustering.h"

namespace fovea::linkage {

/// A merge of two clusters, each named by one of its records.
struct Merge {
  RecordId first, second;
  float score;  ///< mean pair score between the two

  friend bool operator==(const Merge&, const Merge&) = default;
};

/// Clusters by average link (UPGMA; Sokal and Michener 1958): the two clusters with the highest mean pair score merge,
/// until one cluster is left. Returns the n - 1 merges from the highest score to the lowest. The merges above a
/// threshold give the clustering at that threshold, since no merge raises a mean.
///
/// scores: n x n, symmetric, finite; overwritten. The diagonal is not read. weights: [record], positive: number of
/// equal records that each stands for. Uses nearest-neighbour chains (Murtagh 1983): O(n^2) time. Ties are broken
/// arbitrarily.
std::vector<Merge> average_link(std::vector<float> scores, std::span<const double> weights);

/// Does the same for the records 0 .. weights.size() - 1 of a model, which are compared pair by pair.
template <PairModel Model>
std::vector<Merge> average_link(const Model& model, std::span<const double> weights) {
  const std::size_t n = weights.size();
  std::vector<float> scores(n * n);
  for (RecordId i = 0; i < n; ++i)
    for (RecordId j = 0; j < i; ++j) scores[i * n + j] = scores[j * n + i] = static_cast<float>(model.pair_score(i, j));
  return average_link(std::move(scores), weights);
}

/// Returns for each record its cluster, named by one of its records, after all merges whose score is above `threshold`.
std::vector<ClusterId> merged_above(double threshold, std::size_t records, std::span<const Merge> merges);

}  // namespace fovea::linkage
