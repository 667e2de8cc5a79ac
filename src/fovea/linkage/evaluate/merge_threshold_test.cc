// SPDX-License-Identifier: Apache-2.0
#include "fovea/linkage/evaluate/merge_threshold.h"

#include <gtest/gtest.h>

#include <limits>

#include "fovea/base/random.h"

namespace fovea::linkage {
namespace {

constexpr float kAnyway = std::numeric_limits<float>::infinity();

TEST(MergeThresholdTest, LiesBetweenRightAndWrongMerges) {
  const std::vector<std::uint32_t> gold = {7, 7, 7, 8, 8};
  const std::vector<Merge> merges = {{0, 3, -1}, {3, 4, 1}, {0, 1, kAnyway}, {0, 2, 2}};
  const MergeThreshold threshold = best_threshold(merges, gold);
  EXPECT_EQ(threshold.score, 0);
  EXPECT_EQ(threshold.b_cubed.f1(), 1);
}

TEST(MergeThresholdTest, MayBeBeyondAllMerges) {
  EXPECT_EQ(best_threshold({{0, 1, 3}}, std::vector<std::uint32_t>{1, 1}).score, 2);
  EXPECT_EQ(best_threshold({{0, 1, 3}}, std::vector<std::uint32_t>{1, 2}).score, 4);
  EXPECT_EQ(best_threshold({{0, 1, kAnyway}}, std::vector<std::uint32_t>{1, 2}).score, 0);
  EXPECT_EQ(best_threshold({}, {}).score, 0);
}

TEST(MergeThresholdTest, NoOtherIsBetter) {
  Random random(1);
  for (int trial = 0; trial < 50; ++trial) {
    const std::uint32_t n = 2 + random.uniform_index(20);
    std::vector<std::uint32_t> gold;
    std::vector<Merge> merges;
    for (std::uint32_t m = 0; m < n; ++m) {
      gold.push_back(random.uniform_index(4));
      const auto score = static_cast<float>(random.uniform_index(7)) - 3;  // some are equal
      if (m > 0) merges.push_back({random.uniform_index(m), m, random.bernoulli(.2) ? kAnyway : score});
    }
    const MergeThreshold best = best_threshold(merges, gold);
    const auto b_cubed = [&](double score) { return score_clusters(merged_above(score, n, merges), gold).b_cubed; };
    EXPECT_NEAR(best.b_cubed.f1(), b_cubed(best.score).f1(), 1e-12);
    for (double score = -4.5; score < 5; ++score) EXPECT_LE(b_cubed(score).f1(), best.b_cubed.f1() + 1e-12);
  }
}

}  // namespace
}  // namespace fovea::linkage
