// SPDX-License-Identifier: Apache-2.0
#include "fovea/linkage/clustering/sparse_average_link.h"

#include <tsl/robin_map.h>

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <queue>
#include <tuple>
#include <utility>

namespace fovea::linkage {
namespace {

/// Two clusters that may merge. It is out of date if one of them has changed since.
struct PossibleMerge {
  float mean;
  ClusterId first, second;
  std::uint32_t first_version, second_version;

  bool operator<(const PossibleMerge& other) const {  // the top of a queue is the largest
    return std::tuple(mean, other.first, other.second) < std::tuple(other.mean, first, second);
  }
};

class SparseAverageLink {
 public:
  SparseAverageLink(const SparsePairs& pairs, const Stop& stop)
      : pairs_(pairs),
        stop_(stop),
        sums_(pairs.record_count()),
        members_(pairs.record_count()),
        weights_(pairs.record_count()),
        versions_(pairs.record_count(), 0),
        clusters_(pairs.record_count()) {
    std::iota(clusters_.begin(), clusters_.end(), ClusterId{0});
    for (RecordId m = 0; m < pairs.record_count(); ++m) {
      members_[m] = {m};
      weights_[m] = pairs.weight(m);
      for (const RecordId n : pairs.neighbours(m)) sums_[m].emplace(n, pairs.pair_score(m, n));
    }
    for (RecordId m = 0; m < pairs.record_count(); ++m)
      for (const RecordId n : pairs.neighbours(m))
        if (m < n) propose(m, n);
  }

  std::vector<ClusterId> run() {
    StopMeter meter;
    while (!queue_.empty() && !is_stopped_) {
      const PossibleMerge best = queue_.top();
      queue_.pop();
      if (best.first_version != versions_[best.first] || best.second_version != versions_[best.second]) continue;
      if (meter.is_late(kEntriesOfAMerge, stop_)) break;
      const bool first_is_larger = sums_[best.first].size() >= sums_[best.second].size();
      merge(first_is_larger ? best.first : best.second, first_is_larger ? best.second : best.first);
    }
    for (ClusterId& cluster : clusters_)
      while (clusters_[cluster] != cluster) cluster = clusters_[cluster];
    return std::move(clusters_);
  }

 private:
  static constexpr std::uint64_t kEntriesOfAMerge = 1 << 10, kEntriesOfAScore = 1 << 6;

  void propose(ClusterId first, ClusterId second) {
    const double mean = sums_[first].at(second) / (weights_[first] * weights_[second]);
    if (mean > 0)
      queue_.push({static_cast<float>(mean), std::min(first, second), std::max(first, second),
                   versions_[std::min(first, second)], versions_[std::max(first, second)]});
  }

  /// Merges `gone` into `kept`. The sums of both with every neighbour of either are added up.
  void merge(ClusterId kept, ClusterId gone) {
    sums_[kept].erase(gone);
    sums_[gone].erase(kept);
    for (const auto& [other, sum] : sums_[gone]) {
      const auto [at, is_new] = sums_[kept].try_emplace(other, 0.0);
      at.value() += is_new ? sum + sum_between(kept, other) : sum;
      sums_[other].erase(gone);
    }
    for (auto at = sums_[kept].begin(); at != sums_[kept].end(); ++at)
      if (!sums_[gone].contains(at->first)) at.value() += sum_between(gone, at->first);
    sums_[gone] = {};
    members_[kept].insert(members_[kept].end(), members_[gone].begin(), members_[gone].end());
    members_[gone] = {};
    weights_[kept] += weights_[gone];
    clusters_[gone] = kept;
    ++versions_[gone];
    ++versions_[kept];
    for (const auto& [other, sum] : sums_[kept]) {
      sums_[other][kept] = sum;
      propose(kept, other);
    }
  }

  /// Sum of the scores between two clusters that no link has shown so far. Gives up when asked to stop.
  double sum_between(ClusterId e, ClusterId f) {
    double sum = 0;
    for (const RecordId m : members_[e])
      for (const RecordId n : members_[f]) {
        if (is_stopped_ || (is_stopped_ = scores_.is_late(kEntriesOfAScore, stop_))) return sum;
        sum += pairs_.pair_score(m, n);
      }
    return sum;
  }

  const SparsePairs& pairs_;
  const Stop& stop_;
  StopMeter scores_;
  bool is_stopped_ = false;
  std::vector<tsl::robin_map<ClusterId, double>> sums_;  // [cluster]: of all scores with a neighbour
  std::vector<std::vector<RecordId>> members_;           // [cluster]
  std::vector<double> weights_;                          // [cluster]: of its members
  std::vector<std::uint32_t> versions_;                  // [cluster]: number of its merges
  std::vector<ClusterId> clusters_;                      // [record]: what it merged into, or itself
  std::priority_queue<PossibleMerge> queue_;
};

}  // namespace

std::vector<ClusterId> sparse_average_link(const SparsePairs& pairs, const Stop& stop) {
  return SparseAverageLink(pairs, stop).run();
}

}  // namespace fovea::linkage
