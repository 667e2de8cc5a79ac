// SPDX-License-Identifier: Apache-2.0
#include "fovea/linkage/clustering/average_link.h"

#include <algorithm>
#include <functional>
#include <numeric>
#include <utility>

#include "fovea/base/disjoint_sets.h"
#include "fovea/base/error.h"

namespace fovea::linkage {
namespace {

/// Clusters, each named by one of its records, with the mean scores between them.
class AverageLink {
 public:
  AverageLink(std::vector<float> scores, std::span<const double> weights)
      : size_(weights.size()),
        scores_(std::move(scores)),
        weights_(weights.begin(), weights.end()),
        clusters_(weights.size()) {
    std::iota(clusters_.begin(), clusters_.end(), RecordId{0});
  }

  /// In the chain, every cluster is followed by its nearest one. Two clusters that are nearest to each other merge.
  std::vector<Merge> run() {
    std::vector<Merge> merges;
    std::vector<RecordId> chain;
    while (clusters_.size() > 1) {
      if (chain.empty()) chain.push_back(clusters_.front());
      const RecordId last = chain.back();
      const RecordId nearest = nearest_of(last, chain.size() > 1 ? chain[chain.size() - 2] : last);
      if (chain.size() == 1 || nearest != chain[chain.size() - 2]) {
        chain.push_back(nearest);
        continue;
      }
      merges.push_back({nearest, last, row(last)[nearest]});
      merge(nearest, last);
      chain.resize(chain.size() - 2);
    }
    return merges;
  }

 private:
  float* row(RecordId cluster) { return scores_.data() + cluster * size_; }

  /// Returns the nearest cluster. Ties go to `preferred` unless that is `cluster` itself, so that chains never run in
  /// circles.
  RecordId nearest_of(RecordId cluster, RecordId preferred) {
    const float* scores = row(cluster);
    RecordId nearest = preferred != cluster ? preferred : clusters_[clusters_.front() == cluster ? 1 : 0];
    for (const RecordId other : clusters_)
      if (other != cluster && scores[other] > scores[nearest]) nearest = other;
    return nearest;
  }

  /// Merges `gone` into `kept`.
  void merge(RecordId kept, RecordId gone) {
    const double total = weights_[kept] + weights_[gone];
    const auto share = static_cast<float>(weights_[kept] / total),
               other_share = static_cast<float>(weights_[gone] / total);
    clusters_.erase(std::ranges::lower_bound(clusters_, gone));
    for (const RecordId other : clusters_)
      row(kept)[other] = row(other)[kept] = share * row(kept)[other] + other_share * row(gone)[other];
    weights_[kept] = total;
  }

  std::size_t size_;
  std::vector<float> scores_;       // [cluster][cluster]
  std::vector<double> weights_;     // [cluster]
  std::vector<RecordId> clusters_;  // those left, ascending
};

}  // namespace

std::vector<Merge> average_link(std::vector<float> scores, std::span<const double> weights) {
  FOVEA_CHECK(scores.size() == weights.size() * weights.size());
  std::vector<Merge> merges = AverageLink(std::move(scores), weights).run();
  std::ranges::stable_sort(merges, std::ranges::greater(), &Merge::score);
  return merges;
}

std::vector<ClusterId> merged_above(double threshold, std::size_t records, std::span<const Merge> merges) {
  DisjointSets clusters(records);
  for (const Merge& merge : merges)
    if (merge.score > threshold) clusters.unite(merge.first, merge.second);
  return clusters.representatives();
}

}  // namespace fovea::linkage
