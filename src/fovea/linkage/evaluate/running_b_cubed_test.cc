// SPDX-License-Identifier: Apache-2.0
#include "fovea/linkage/evaluate/running_b_cubed.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cmath>
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
}  // namespace fovea::linkage
