// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "fovea/linkage/clustering/pair_clustering.h"

namespace fovea::linkage {

/// Two clusters become one, each named by one of its records.
struct Merge {
  RecordId first, second;
  float score;  ///< mean pair score between the two

  friend bool operator==(const Merge&, const Merge&) = default;
};

/// Agglomerative clustering by average link (UPGMA; Sokal and Michener 1958): those two clusters merge between which
/// the mean of the pair scores is highest, until all are one. Returns the n - 1 merges from the highest score to the
/// lowest; those above a threshold make the clustering of that threshold, since no merge raises a mean.
///
/// scores: n x n, symmetric, finite; overwritten. The diagonal is not read. weights: [record], positive: how many
/// equal records each stands for. Nearest-neighbour chains (Murtagh 1983): O(n^2) time. Of equal scores any is taken.
std::vector<Merge> average_link(std::vector<float> scores, std::span<const double> weights);

/// The same for the records 0 .. weights.size() - 1 of a model, which are compared pair by pair.
template <PairModel Model>
std::vector<Merge> average_link(const Model& model, std::span<const double> weights) {
  const std::size_t n = weights.size();
  std::vector<float> scores(n * n);
  for (RecordId i = 0; i < n; ++i)
    for (RecordId j = 0; j < i; ++j) scores[i * n + j] = scores[j * n + i] = static_cast<float>(model.pair_score(i, j));
  return average_link(std::move(scores), weights);
}

/// [record] its cluster, named by one of its records, after the merges whose score is above `threshold`.
std::vector<ClusterId> merged_above(double threshold, std::size_t records, std::span<const Merge> merges);

}  // namespace fovea::linkage
