// SPDX-License-Identifier: Apache-2.0
#include "fovea/linkage/evaluate/cluster_metrics.h"

#include <algorithm>
#include <vector>

#include "fovea/base/error.h"

namespace fovea::linkage {
namespace {

/// The records that a cluster and an entity share; at least one.
struct Overlap {
  std::uint32_t cluster, entity;
  std::uint32_t records;
  bool is_whole = true;  // neither group seen so far has other records
};

std::uint64_t pairs_among(std::uint64_t records) { return records * (records - 1) / 2; }

/// Sorted keys, cluster << 32 | entity, one for each labelled record.
std::vector<std::uint64_t> sorted_keys(std::span<const std::uint32_t> predicted, std::span<const std::uint32_t> gold) {
  std::vector<std::uint64_t> keys;
  keys.reserve(gold.size());
  for (std::size_t m = 0; m < gold.size(); ++m)
    if (gold[m] != kUnlabelled) keys.push_back(std::uint64_t{predicted[m]} << 32 | gold[m]);
  std::ranges::sort(keys);
  return keys;
}

/// Counts overlaps, in the order of clusters.
std::vector<Overlap> count_overlaps(const std::vector<std::uint64_t>& keys) {
  std::vector<Overlap> overlaps;
  for (auto first = keys.begin(), last = first; first != keys.end(); first = last) {
    last = std::find_if(first, keys.end(), [&](std::uint64_t key) { return key != *first; });
    overlaps.push_back({static_cast<std::uint32_t>(*first >> 32), static_cast<std::uint32_t>(*first),
                        static_cast<std::uint32_t>(last - first)});
  }
  return overlaps;
}

/// One of the two partitions: its clusters, or its entities.
struct Groups {
  std::uint64_t count = 0, largest = 0, pairs = 0;
  double b_cubed = 0;  // sum over groups g and overlaps of n^2 / |g|
};

/// `overlaps` lie in the order of `group`, one of its two numbers.
Groups sum_groups(std::vector<Overlap>& overlaps, std::uint32_t Overlap::*group) {
  Groups groups;
  for (auto first = overlaps.begin(), last = first; first != overlaps.end(); first = last) {
    std::uint64_t records = 0, squares = 0;
    for (; last != overlaps.end() && (*last).*group == (*first).*group; ++last) {
      records += last->records;
      squares += std::uint64_t{last->records} * last->records;
    }
    if (last - first > 1) std::for_each(first, last, [](Overlap& overlap) { overlap.is_whole = false; });
    ++groups.count;
    groups.largest = std::max(groups.largest, records);
    groups.pairs += pairs_among(records);
    groups.b_cubed += static_cast<double>(squares) / static_cast<double>(records);
  }
  return groups;
}

}  // namespace

ClusterMetrics score_clusters(std::span<const std::uint32_t> predicted, std::span<const std::uint32_t> gold) {
  FOVEA_CHECK(predicted.size() == gold.size());
  const std::vector<std::uint64_t> keys = sorted_keys(predicted, gold);
  std::vector<Overlap> overlaps = count_overlaps(keys);
  const Groups clusters = sum_groups(overlaps, &Overlap::cluster);
  std::ranges::sort(overlaps, {}, &Overlap::entity);
  const Groups entities = sum_groups(overlaps, &Overlap::entity);

  const auto records = static_cast<double>(std::max<std::size_t>(keys.size(), 1));
  ClusterMetrics metrics = {.records = keys.size(),
                            .unlabelled = gold.size() - keys.size(),
                            .largest_cluster = clusters.largest,
                            .largest_entity = entities.largest,
                            .b_cubed = {clusters.b_cubed / records, entities.b_cubed / records},
                            .pairs = {entities.pairs, clusters.pairs, 0},
                            .clusters = {entities.count, clusters.count, 0}};
  for (const Overlap& overlap : overlaps) {
    metrics.pairs.correct += pairs_among(overlap.records);
    metrics.clusters.correct += overlap.is_whole;
  }
  return metrics;
}

}  // namespace fovea::linkage
