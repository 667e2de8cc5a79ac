// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace fovea::linkage {

/// All clusterings of a few items at once, scored by pairs: p(y) is proportional to
///
///   exp(sum over clusters of y, sum over pairs {i, j} of the cluster: score(i, j))
///
/// They are summed by dynamic programming over subsets: the cluster of a set's first item is one of its subsets, and
/// the rest is a smaller problem. With W(B) the score of cluster B,
///
///   Z(S) = sum over B within S that contain the first item of S: exp(W(B)) Z(S \ B),     Z({}) = 1
///   P(B is a cluster) = exp(W(B)) Z(V \ B) / Z(V)
///
/// The best clustering is found with max instead of sum. Time 3^n, memory 2^n.
class SubsetClustering {
 public:
  static constexpr std::size_t kMostItems = 12;

  /// A set of items: bit i is item i.
  using Items = std::uint32_t;

  /// scores: [i][j], symmetric and finite, of n <= kMostItems items; the diagonal is not read.
  SubsetClustering(std::size_t items, std::span<const double> scores);

  /// Best clustering: [item] its cluster, named by its first item. Ties are always broken in the same way.
  std::vector<std::uint32_t> best() const;
  double best_score() const { return best_.back(); }

  double log_sum() const { return log_sums_.back(); }  ///< log Z(V)
  double cluster_probability(Items cluster) const;
  double pair_probability(std::size_t i, std::size_t j) const;

 private:
  std::size_t items_;
  std::vector<double> weights_;          // [set]: W
  std::vector<double> best_, log_sums_;  // [set]: of the best clustering of the set; log Z
  std::vector<Items> first_cluster_;     // [set]: that of its first item, in its best clustering
};

}  // namespace fovea::linkage
