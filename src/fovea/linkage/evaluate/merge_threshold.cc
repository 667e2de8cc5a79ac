// SPDX-License-Identifier: Apache-2.0
#include "fovea/linkage/evaluate/merge_threshold.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>
#include <utility>

#include "fovea/linkage/evaluate/running_b_cubed.h"

namespace fovea::linkage {
namespace {

/// Clusters that only grow.
class GrowingClusters {
 public:
  explicit GrowingClusters(std::span<const std::uint32_t> gold)
      : cluster_(gold.size()), members_(gold.size()), score_(start(), gold) {}

  void merge(RecordId first, RecordId second) {
    std::uint32_t kept = cluster_[first], gone = cluster_[second];
    if (kept == gone) return;
    if (members_[kept].size() < members_[gone].size()) std::swap(kept, gone);
    for (const RecordId m : members_[gone]) {
      score_.move(m, gone, kept);
      cluster_[m] = kept;
      members_[kept].push_back(m);
    }
    members_[gone] = {};
  }

  BCubed score() const { return score_.score(); }

 private:
  std::span<const std::uint32_t> start() {
    std::iota(cluster_.begin(), cluster_.end(), 0U);
    for (RecordId m = 0; m < cluster_.size(); ++m) members_[m] = {m};
    return cluster_;
  }

  std::vector<std::uint32_t> cluster_;
  std::vector<std::vector<RecordId>> members_;  // [cluster]
  RunningBCubed score_;
};

}  // namespace

MergeThreshold best_threshold(std::vector<Merge> merges, std::span<const std::uint32_t> gold) {
  std::ranges::stable_sort(merges, std::ranges::greater(), &Merge::score);
  GrowingClusters clusters(gold);
  const auto made_anyway = std::ranges::find_if(merges, [](const Merge& merge) { return !std::isinf(merge.score); });
  for (auto merge = merges.begin(); merge != made_anyway; ++merge) clusters.merge(merge->first, merge->second);
  const std::span<const Merge> open(made_anyway, merges.end());
  MergeThreshold best{.score = open.empty() ? 0 : open.front().score + 1.0, .b_cubed = clusters.score()};
  for (std::size_t i = 0; i < open.size(); ++i) {
    clusters.merge(open[i].first, open[i].second);
    const double next = i + 1 < open.size() ? open[i + 1].score : open[i].score - 2.0;
    if (next < open[i].score && clusters.score().f1() > best.b_cubed.f1())
      best = {.score = (open[i].score + next) / 2, .b_cubed = clusters.score()};
  }
  return best;
}

}  // namespace fovea::linkage
