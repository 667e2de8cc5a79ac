// SPDX-License-Identifier: Apache-2.0
#include "fovea/linkage/clustering/subset_clustering.h"

#include <bit>
#include <cmath>
#include <limits>

#include "fovea/base/error.h"
#include "fovea/base/log_math.h"

namespace fovea::linkage {
namespace {

using Items = SubsetClustering::Items;

/// Calls visit for each subset of `set` that contains its first item, the whole set first.
template <class Visit>
void for_each_first_cluster(Items set, Visit&& visit) {
  const Items first = set & -set, others = set ^ first;
  for (Items joined = others;; joined = (joined - 1) & others) {
    visit(first | joined);
    if (joined == 0) return;
  }
}

}  // namespace

SubsetClustering::SubsetClustering(std::size_t items, std::span<const double> scores) : items_(items) {
  FOVEA_CHECK(items <= kMostItems && scores.size() == items * items);
  const std::size_t sets = std::size_t{1} << items;
  weights_.resize(sets);
  best_.resize(sets);
  log_sums_.resize(sets);
  first_cluster_.resize(sets);
  for (Items set = 1; set < sets; ++set) {
    const auto first = static_cast<std::size_t>(std::countr_zero(set));
    weights_[set] = weights_[set & (set - 1)];
    for (Items others = set & (set - 1); others != 0; others &= others - 1)
      weights_[set] += scores[first * items + static_cast<std::size_t>(std::countr_zero(others))];
    best_[set] = log_sums_[set] = -std::numeric_limits<double>::infinity();
    for_each_first_cluster(set, [&](Items cluster) {
      const double score = weights_[cluster] + best_[set ^ cluster];
      if (score > best_[set]) {
        best_[set] = score;
        first_cluster_[set] = cluster;
      }
      log_sums_[set] = add_logs(log_sums_[set], weights_[cluster] + log_sums_[set ^ cluster]);
    });
  }
}

std::vector<std::uint32_t> SubsetClustering::best() const {
  std::vector<std::uint32_t> clusters(items_);
  for (auto left = static_cast<Items>(best_.size() - 1); left != 0; left ^= first_cluster_[left])
    for (Items cluster = first_cluster_[left]; cluster != 0; cluster &= cluster - 1)
      clusters[static_cast<std::size_t>(std::countr_zero(cluster))] =
          static_cast<std::uint32_t>(std::countr_zero(left));
  return clusters;
}

double SubsetClustering::cluster_probability(Items cluster) const {
  const auto all = static_cast<Items>(best_.size() - 1);
  return std::exp(weights_[cluster] + log_sums_[all ^ cluster] - log_sums_[all]);
}

double SubsetClustering::pair_probability(std::size_t i, std::size_t j) const {
  double sum = 0;
  for (Items set = 0; set < best_.size(); ++set)
    if ((set >> i & 1) != 0 && (set >> j & 1) != 0) sum += cluster_probability(set);
  return sum;
}

}  // namespace fovea::linkage
