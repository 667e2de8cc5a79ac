// SPDX-License-Identifier: Apache-2.0
#include "fovea/linkage/clustering/average_link.h"

#include <algorithm>
#include <functional>
#include <numeric>
#include <utility>

#include "fovea/base/error.h"

namespace fovea::linkage {
namespace {

/// Clusters named by their records, with the mean scores between them.
class AverageLink {
 public:
  AverageLink(std::vector<float> scores, std::span<const double> weights)
      : size_(weights.size()),
        scores_(std::move(scores)),
        weights_(weights.begin(), weights.end()),
        clusters_(weights.size()) {
    std::iota(clusters_.begin(), clusters_.end(), RecordId{0});
  }

  /// Every cluster of the chain is followed by its nearest one; when two are the nearest of each other, they merge.
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

  /// Of equally near ones `preferred`, if it is no other than `cluster`: chains never turn in circles.
  RecordId nearest_of(RecordId cluster, RecordId preferred) {
    const float* scores = row(cluster);
    RecordId nearest = preferred != cluster ? preferred : clusters_[clusters_.front() == cluster ? 1 : 0];
    for (const RecordId other : clusters_)
      if (other != cluster && scores[other] > scores[nearest]) nearest = other;
    return nearest;
  }

  /// `gone` becomes a part of `kept`.
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
  std::vector<RecordId> clusters_;  // that are left, ascending
};

}  // namespace

std::vector<Merge> average_link(std::vector<float> scores, std::span<const double> weights) {
  FOVEA_CHECK(scores.size() == weights.size() * weights.size());
  std::vector<Merge> merges = AverageLink(std::move(scores), weights).run();
  std::ranges::stable_sort(merges, std::ranges::greater(), &Merge::score);
  return merges;
}

std::vector<ClusterId> merged_above(double threshold, std::size_t records, std::span<const Merge> merges) {
  std::vector<ClusterId> parent(records);
  std::iota(parent.begin(), parent.end(), ClusterId{0});
  const auto cluster = [&](RecordId m) {
    while (parent[m] != m) m = parent[m] = parent[parent[m]];
    return m;
  };
  for (const Merge& merge : merges)
    if (merge.score > threshold) parent[cluster(merge.second)] = cluster(merge.first);
  for (RecordId m = 0; m < records; ++m) parent[m] = cluster(m);
  return parent;
}

}  // namespace fovea::linkage
