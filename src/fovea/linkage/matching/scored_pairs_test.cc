// SPDX-License-Identifier: Apache-2.0
#include "fovea/linkage/matching/scored_pairs.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

#include "fovea/base/error.h"
#include "tests/support/expect_error.h"
#include "tests/support/people_table.h"
#include "tests/support/temporary_folder.h"

namespace fovea::linkage {
namespace {

TEST(ConnectedComponents, AreWhatPairsConnect) {
  const std::vector<ScoredPair> pairs = {{{1, 4}, 1}, {{2, 6}, 1}, {{4, 5}, 1}, {{1, 5}, 1}};
  const Blocks components = connected_components(8, pairs);
  ASSERT_EQ(components.size(), 2u);
  EXPECT_THAT(components[0], ElementsAre(1, 4, 5));
  EXPECT_THAT(components[1], ElementsAre(2, 6));
}

const std::vector<ScoredPair> kPairs = {{{0, 1}, 3}, {{0, 2}, 0}, {{1, 2}, -1}};

TEST(PairTableTest, TheMostDoubtfulComeFirst) {
  const std::vector<ProbablePair> sorted = most_doubtful_first(kPairs, {});
  EXPECT_EQ(sorted[0].pair.rows.second, 2u);
  EXPECT_EQ(sorted[0].probability, .5);
  EXPECT_EQ(sorted[2].pair.rows.second, 1u);
  EXPECT_NEAR(sorted[2].probability, .9526, 1e-4);
}

TEST(PairTableTest, WhatIsNotKnownHasTheProbabilityOfItsScore) {
  const std::vector<double> probabilities = {.625, std::numeric_limits<double>::quiet_NaN(), .99};
  const std::vector<ProbablePair> sorted = most_doubtful_first(kPairs, probabilities);
  EXPECT_EQ(sorted[0].probability, .5) << "of score 0";
  EXPECT_EQ(sorted[1].probability, .625);
  EXPECT_EQ(sorted[2].probability, .99);
}

TEST(PairTableTest, WritesIdsScoresAndProbabilities) {
  const testing::TemporaryFolder folder;
  const std::string path = folder / "pairs.csv";
  const std::vector<ProbablePair> pairs = {{{{0, 2}, 0}, .5}};
  write_pairs(path, pairs, [](std::uint32_t row) { return std::string_view(row == 0 ? "a" : "c"); });
  EXPECT_EQ(testing::read_file(path), "first_id,second_id,score,probability\na,c,0.000,0.500000\n");
}

}  // namespace

}  // namespace fovea::linkage
