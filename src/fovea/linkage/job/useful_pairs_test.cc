// SPDX-License-Identifier: Apache-2.0
#include "fovea/linkage/job/useful_pairs.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace fovea::linkage {
namespace {

TEST(UsefulPairsTest, HaveEachRecordTwiceAtMost) {
  const std::vector<RowPair> pairs = {{0, 1}, {0, 2}, {0, 3}, {3, 4}, {5, 6}};
  EXPECT_THAT(most_useful(pairs, 3), ::testing::ElementsAre(0, 1, 3));
  EXPECT_THAT(most_useful(pairs, 10), ::testing::ElementsAre(0, 1, 3, 4));
}

}  // namespace
}  // namespace fovea::linkage
