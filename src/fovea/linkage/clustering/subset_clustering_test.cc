// SPDX-License-Identifier: Apache-2.0
#include "fovea/linkage/clustering/subset_clustering.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "fovea/base/error.h"
#include "fovea/base/random.h"

namespace fovea::linkage {
namespace {

std::vector<double> random_scores(std::size_t items, std::uint64_t seed) {
  Random random(seed);
  std::vector<double> scores(items * items);
  for (std::size_t i = 0; i < items; ++i)
    for (std::size_t j = 0; j < i; ++j) scores[i * items + j] = scores[j * items + i] = 2 * random.normal();
  return scores;
}

/// Calls visit(clusters, score) for every clustering: item i joins a cluster of earlier ones or begins one.
void for_each_clustering(std::size_t items, std::span<const double> scores,
                         const std::function<void(const std::vector<std::uint32_t>&, double)>& visit) {
  std::vector<std::uint32_t> clusters;
  const std::function<void(std::uint32_t, double)> extend = [&](std::uint32_t used, double score) {
    const std::size_t i = clusters.size();
    if (i == items) return visit(clusters, score);
    for (std::uint32_t c = 0; c <= used; ++c) {
      double joined = score;
      for (std::size_t j = 0; j < i; ++j)
        if (clusters[j] == c) joined += scores[i * items + j];
      clusters.push_back(c);
      extend(std::max(used, c + 1), joined);
      clusters.pop_back();
    }
  };
  extend(0, 0);
}

class SubsetClusteringTest : public ::testing::TestWithParam<std::size_t> {};

TEST_P(SubsetClusteringTest, AgreesWithEnumeration) {
  const std::size_t n = GetParam();
  const std::vector<double> scores = random_scores(n, n);
  const SubsetClustering clustering(n, scores);
  double sum = 0, together = 0, whole = 0, best = -1e300;
  std::size_t count = 0;
  for_each_clustering(n, scores, [&](const std::vector<std::uint32_t>& clusters, double score) {
    ++count;
    sum += std::exp(score);
    if (n > 1 && clusters[0] == clusters[n - 1]) together += std::exp(score);
    if (std::ranges::count(clusters, 0u) == static_cast<std::ptrdiff_t>(n)) whole += std::exp(score);
    best = std::max(best, score);
  });
  EXPECT_EQ(count, (std::vector<std::size_t>{1, 1, 2, 5, 15, 52, 203, 877, 4140}[n])) << "Bell's number";
  EXPECT_NEAR(clustering.log_sum(), std::log(sum), 1e-9);
  EXPECT_NEAR(clustering.best_score(), best, 1e-9);
  if (n > 1) {
    EXPECT_NEAR(clustering.pair_probability(0, n - 1), together / sum, 1e-9);
  }
  EXPECT_NEAR(clustering.cluster_probability((1u << n) - 1), whole / sum, 1e-9);
  const std::vector<std::uint32_t> clusters = clustering.best();
  double score = 0;
  for (std::size_t i = 0; i < n; ++i) {
    EXPECT_EQ(clusters[clusters[i]], clusters[i]) << "called by its first item";
    for (std::size_t j = 0; j < i; ++j) score += clusters[i] == clusters[j] ? scores[i * n + j] : 0;
  }
  EXPECT_NEAR(score, best, 1e-9);
}

INSTANTIATE_TEST_SUITE_P(Items, SubsetClusteringTest, ::testing::Values(1, 2, 3, 5, 8));

TEST(SubsetClustering, TooManyItemsAreABug) { EXPECT_THROW(SubsetClustering(13, random_scores(13, 1)), InternalError); }

}  // namespace
}  // namespace fovea::linkage
