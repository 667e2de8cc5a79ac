// SPDX-License-Identifier: Apache-2.0
#include "fovea/linkage/clustering/average_link.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "fovea/base/error.h"
#include "fovea/base/random.h"
#include "tests/support/expect_error.h"

namespace fovea::linkage {
namespace {

std::vector<float> random_scores(std::size_t n, Random& random) {
  std::vector<float> scores(n * n);
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < i; ++j) scores[i * n + j] = scores[j * n + i] = static_cast<float>(random.normal());
  return scores;
}

std::vector<double> random_weights(std::size_t n, Random& random) {
  std::vector<double> weights(n);
  for (double& weight : weights) weight = 1 + random.uniform_index(5);
  return weights;
}

double mean_score(const std::vector<RecordId>& a, const std::vector<RecordId>& b, const std::vector<float>& scores,
                  const std::vector<double>& weights) {
  double sum = 0, total = 0;
  for (const RecordId m : a)
    for (const RecordId n : b) {
      sum += weights[m] * weights[n] * scores[m * weights.size() + n];
      total += weights[m] * weights[n];
    }
  return sum / total;
}

/// Merges the best two clusters, with all means recomputed, until no mean is above the threshold. Returns for each
/// record the lowest record of its cluster.
std::vector<RecordId> by_brute_force(const std::vector<float>& scores, const std::vector<double>& weights,
                                     double threshold) {
  std::vector<std::vector<RecordId>> clusters;
  for (RecordId m = 0; m < weights.size(); ++m) clusters.push_back({m});
  while (true) {
    double best = threshold;
    std::size_t first = 0, second = 0;
    for (std::size_t i = 0; i < clusters.size(); ++i)
      for (std::size_t j = 0; j < i; ++j)
        if (const double mean = mean_score(clusters[i], clusters[j], scores, weights); mean > best) {
          best = mean;
          first = j;
          second = i;
        }
    if (first == second) break;
    clusters[first].insert(clusters[first].end(), clusters[second].begin(), clusters[second].end());
    clusters.erase(clusters.begin() + static_cast<std::ptrdiff_t>(second));
  }
  std::vector<RecordId> lowest(weights.size());
  for (const auto& cluster : clusters)
    for (const RecordId m : cluster) lowest[m] = *std::ranges::min_element(cluster);
  return lowest;
}

/// Renames clusters by their lowest records.
std::vector<RecordId> by_lowest(const std::vector<ClusterId>& clusters) {
  std::vector<RecordId> lowest;
  for (const ClusterId cluster : clusters)
    lowest.push_back(static_cast<RecordId>(std::ranges::find(clusters, cluster) - clusters.begin()));
  return lowest;
}

TEST(AverageLinkTest, MergesAsBruteForceDoes) {
  Random random(1);
  for (int trial = 0; trial < 100; ++trial) {
    const std::size_t n = 1 + random.uniform_index(12);
    const std::vector<float> scores = random_scores(n, random);
    const std::vector<double> weights = random_weights(n, random);
    const std::vector<Merge> merges = average_link(scores, weights);
    ASSERT_EQ(merges.size(), n - 1);
    EXPECT_TRUE(std::ranges::is_sorted(merges, std::ranges::greater(), &Merge::score));
    for (const double threshold : {-9.0, -0.3, 0.0, 0.3, 9.0})
      EXPECT_EQ(by_lowest(merged_above(threshold, n, merges)), by_brute_force(scores, weights, threshold));
  }
}

TEST(AverageLinkTest, ARecordOfWeightThreeIsThreeRecords) {
  const std::vector<float> scores = {0, 2, -3, 2, 0, 1, -3, 1, 0};
  // The first two merge; then the mean with the third is (3 * -3 + 1) / 4.
  EXPECT_THAT(average_link(scores, std::vector<double>{3, 1, 1}), ElementsAre(Merge{0, 1, 2}, Merge{0, 2, -2}));
  EXPECT_THAT(average_link(scores, std::vector<double>{1, 1, 1}), ElementsAre(Merge{0, 1, 2}, Merge{0, 2, -1}));
}

TEST(AverageLinkTest, EqualScoresEnd) {
  for (const std::size_t n : {0, 1, 2, 50})
    EXPECT_EQ(average_link(std::vector<float>(n * n, 1), std::vector<double>(n, 1)).size(), n < 2 ? 0 : n - 1);
}

TEST(AverageLinkTest, ComparesTheRecordsOfAModel) {
  struct Model {
    double pair_score(RecordId m, RecordId n) const { return m / 2 == n / 2 ? 1 : -1; }
  };
  const std::vector<Merge> merges = average_link(Model(), std::vector<double>(5, 1));
  EXPECT_THAT(by_lowest(merged_above(0, 5, merges)), ElementsAre(0, 0, 2, 2, 4));
}

TEST(AverageLinkTest, MisuseIsABug) {
  EXPECT_THROW(average_link(std::vector<float>(4), std::vector<double>(3, 1)), InternalError);
  EXPECT_THAT(average_link({}, {}), IsEmpty());
}

}  // namespace
}  // namespace fovea::linkage
