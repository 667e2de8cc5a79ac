// SPDX-License-Identifier: Apache-2.0
#include "fovea/linkage/clustering/sparse_pairs.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>
#include <vector>

#include "fovea/base/error.h"
#include "fovea/linkage/clustering/clustering_chain.h"
#include "fovea/linkage/clustering/pair_clustering.h"

namespace fovea::linkage {
namespace {

using ::testing::ElementsAre;

TEST(SparsePairs, KeepsLinksAndFillsTheRestOnce) {
  int calls = 0;
  const std::vector<RecordLink> links = {{3, 0, 1.5}, {0, 1, 2.5}};
  SparsePairs pairs(4, links, [&](RecordId m, RecordId n) {
    ++calls;
    EXPECT_LT(m, n);
    return -1. * (m + n);
  });
  EXPECT_THAT(pairs.neighbours(0), ElementsAre(1, 3));
  EXPECT_THAT(pairs.neighbours(2), ElementsAre());
  EXPECT_EQ(pairs.pair_score(0, 3), 1.5);
  EXPECT_EQ(pairs.pair_score(1, 0), 2.5);
  EXPECT_EQ(calls, 0);
  EXPECT_EQ(pairs.pair_score(3, 2), -5);
  EXPECT_EQ(pairs.pair_score(2, 3), -5);
  EXPECT_EQ(calls, 1);
  pairs.set_weights({2, 1, 1, 3});
  EXPECT_EQ(pairs.pair_score(0, 3), 9);
  EXPECT_EQ(pairs.pair_score(2, 3), -15);
  EXPECT_EQ(calls, 1);
}

TEST(SparsePairs, AsksForScoresOfLinksThatAreNotKnown) {
  int calls = 0;
  const std::vector<RecordLink> links = {{0, 1, std::numeric_limits<float>::quiet_NaN()}, {0, 2, 1}};
  const SparsePairs pairs(
      3, links,
      [&](RecordId, RecordId) {
        ++calls;
        return 4;
      },
      SparsePairs::Room::kLarge);
  EXPECT_THAT(pairs.neighbours(0), ElementsAre(1, 2));
  EXPECT_EQ(pairs.pair_score(0, 2), 1);
  EXPECT_EQ(calls, 0);
  EXPECT_EQ(pairs.pair_score(1, 0), 4);
  EXPECT_EQ(pairs.pair_score(0, 1), 4);
  EXPECT_EQ(calls, 1);
}

TEST(SparsePairs, MemoryOfFilledScoresIsBounded) {
  constexpr RecordId kRecords = 1000;
  std::uint64_t calls = 0;
  const SparsePairs pairs(kRecords, {}, [&](RecordId m, RecordId n) {
    ++calls;
    return m + n;
  });
  for (RecordId m = 0; m < kRecords; ++m)
    for (RecordId n = 0; n < m; ++n) ASSERT_EQ(pairs.pair_score(m, n), m + n);
  EXPECT_EQ(calls, kRecords * (kRecords - 1) / 2);
  EXPECT_EQ(pairs.pair_score(1, 0), 1);
  EXPECT_EQ(calls, kRecords * (kRecords - 1) / 2 + 1) << "the first of half a million is no longer kept";
}

TEST(SparsePairs, RefusesRepeatedLinks) {
  const std::vector<RecordLink> twice = {{0, 1, 1}, {1, 0, 1}}, itself = {{1, 1, 1}};
  const auto score = [](RecordId, RecordId) { return 0; };
  EXPECT_THROW(SparsePairs(2, twice, score), InternalError);
  EXPECT_THROW(SparsePairs(2, itself, score), InternalError);
}

/// Rings of five records in which neighbours attract each other more than others repel.
TEST(SparsePairs, AChainAlongLinksFindsTheClusters) {
  constexpr RecordId kRings = 100, kSize = 5;
  std::vector<RecordLink> links;
  for (RecordId ring = 0; ring < kRings; ++ring)
    for (RecordId i = 0; i < kSize; ++i) links.push_back({kSize * ring + i, kSize * ring + (i + 1) % kSize, 3});
  const SparsePairs pairs(kRings * kSize, links,
                          [](RecordId m, RecordId n) { return m / kSize == n / kSize ? -1 : -3; });
  SparseClusteringChain chain(pairs, {}, Random(3), ClusteringState::singletons(kRings * kSize));
  for (const double temperature : {1., .5, .2, .1}) chain.run(100 * kRings * kSize, temperature, {});
  chain.keep_if_best();
  EXPECT_GT(chain.best_score(), .95 * kRings * (5 * 3 - 5 * 1));
  EXPECT_LE(chain.best_score(), kRings * (5 * 3 - 5 * 1));
}

}  // namespace
}  // namespace fovea::linkage
