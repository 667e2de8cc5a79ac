// SPDX-License-Identifier: Apache-2.0
#include "fovea/linkage/evaluate/merge_threshold.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

#include "fovea/base/error.h"
#include "fovea/base/random.h"

namespace fovea::linkage {
namespace {

using Labels = std::vector<std::uint32_t>;

double gap(const BCubed& a, const BCubed& b) {
  return std::max(std::abs(a.precision - b.precision), std::abs(a.recall - b.recall));
}

RC_GTEST_PROP(RunningBCubedTest, EqualsTheScoreAfterEveryMove, ()) {
  constexpr std::uint32_t kRecords = 12;
  const auto entity = rc::gen::element<std::uint32_t>(0, 5, 1u << 31, kUnlabelled);
  const auto gold = *rc::gen::container<Labels>(kRecords, entity);
  auto clusters = *rc::gen::container<Labels>(kRecords, rc::gen::inRange<std::uint32_t>(0, 4));
  const auto moves = *rc::gen::container<std::vector<std::pair<std::uint32_t, std::uint32_t>>>(
      rc::gen::pair(rc::gen::inRange<std::uint32_t>(0, kRecords), rc::gen::inRange<std::uint32_t>(0, 8)));
  RunningBCubed running(clusters, gold);
  RC_ASSERT(gap(running.score(), score_clusters(clusters, gold).b_cubed) < 1e-12);
  for (const auto& [record, to] : moves) {
    running.move(record, clusters[record], to);
    clusters[record] = to;
    RC_ASSERT(gap(running.score(), score_clusters(clusters, gold).b_cubed) < 1e-12);
  }
}

TEST(RunningBCubedTest, StaysExactOverManyMoves) {
  constexpr std::uint32_t kRecords = 1000;
  Random random(1);
  Labels gold, clusters;
  for (std::uint32_t m = 0; m < kRecords; ++m) {
    gold.push_back(random.uniform_index(100));
    clusters.push_back(m);
  }
  RunningBCubed running(clusters, gold);
  for (int i = 0; i < 100'000; ++i) {
    const std::uint32_t record = random.uniform_index(kRecords), to = random.uniform_index(200);
    running.move(record, clusters[record], to);
    clusters[record] = to;
  }
  EXPECT_LT(gap(running.score(), score_clusters(clusters, gold).b_cubed), 1e-11);  // 2e5 steps of 1e-16
}

TEST(RunningBCubedTest, NoRecordsScoreZero) {
  EXPECT_EQ(RunningBCubed({}, {}).score().f1(), 0);
  EXPECT_EQ(RunningBCubed(Labels{3}, Labels{kUnlabelled}).score().f1(), 0);
}

TEST(RunningBCubedTest, RefusesAMoveOutOfAClusterWithoutTheRecord) {
  RunningBCubed running(Labels{0, 1}, Labels{0, 1});
  EXPECT_THROW(running.move(0, 1, 0), InternalError);
  EXPECT_THROW(running.move(0, 7, 0), InternalError);
}

}  // namespace

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
