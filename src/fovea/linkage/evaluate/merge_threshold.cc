// SPDX-License-Identifier: Apache-2.0
#include "fovea/linkage/evaluate/merge_threshold.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>
#include <utility>

#include "fovea/base/error.h"

namespace fovea::linkage {

RunningBCubed::RunningBCubed(std::span<const std::uint32_t> predicted, std::span<const std::uint32_t> gold) {
  FOVEA_CHECK(predicted.size() == gold.size());
  number_entities(gold);
  overlaps_.max_load_factor(0.75f);  // singletons have as many overlaps as records
  if (!predicted.empty()) clusters_.resize(std::size_t{*std::ranges::max_element(predicted)} + 1);
  for (std::size_t m = 0; m < gold.size(); ++m)
    if (entities_[m] != kUnlabelled) change(predicted[m], entities_[m], 1);
}

void RunningBCubed::number_entities(std::span<const std::uint32_t> gold) {
  tsl::robin_map<std::uint32_t, std::uint32_t> numbers;
  entities_.reserve(gold.size());
  for (const std::uint32_t label : gold) {
    if (label == kUnlabelled) {
      entities_.push_back(kUnlabelled);
      continue;
    }
    const auto [found, is_new] = numbers.try_emplace(label, static_cast<std::uint32_t>(entity_sizes_.size()));
    if (is_new) entity_sizes_.push_back(0);
    entities_.push_back(found->second);
    ++entity_sizes_[found->second];
    ++records_;
  }
}

void RunningBCubed::move(std::uint32_t record, std::uint32_t from, std::uint32_t to) {
  const std::uint32_t entity = entities_[record];
  if (entity == kUnlabelled || from == to) return;
  change(from, entity, -1);
  change(to, entity, 1);
}

void RunningBCubed::change(std::uint32_t cluster, std::uint32_t entity, int step) {
  if (cluster >= clusters_.size()) clusters_.resize(std::size_t{cluster} + 1);
  const auto overlap = overlaps_.try_emplace(pair_key(cluster, entity), 0).first;
  const std::int64_t before = overlap->second, after = before + step, growth = after * after - before * before;
  FOVEA_CHECK(after >= 0);
  overlap.value() = static_cast<std::uint32_t>(after);
  if (after == 0) overlaps_.erase(overlap);

  Cluster& c = clusters_[cluster];
  precision_sum_ -= c.share();
  c.squares += growth;
  c.records += step;
  precision_sum_ += c.share();
  recall_sum_ += static_cast<double>(growth) / entity_sizes_[entity];
}

BCubed RunningBCubed::score() const {
  if (records_ == 0) return {};
  const auto records = static_cast<double>(records_);
  return {precision_sum_ / records, recall_sum_ / records};
}

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
