// SPDX-License-Identifier: Apache-2.0
#include "fovea/linkage/statistics/context_statistics.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/expect_error.h"

namespace fovea::linkage {
namespace {

std::vector<KeyedValue> made_up_rows() { return {{2, 5, 1}, {1, 8, 1}, {2, 5, 2}, {2, 0, 1}, {2, 6, 1}, {3, 0, 1}}; }

TEST(ContextStatisticsTest, CountEachPairOnce) {
  const ContextStatistics counted = count_contexts(ContextNumber::kDistinct, made_up_rows());
  EXPECT_THAT(counted.counts, ElementsAre(KeyedValue{1, 8, 1}, KeyedValue{2, 0, 1}, KeyedValue{2, 5, 3},
                                          KeyedValue{2, 6, 1}, KeyedValue{3, 0, 1}));
}

TEST(ContextStatisticsTest, MergeInAnyOrder) {
  const std::vector<KeyedValue> rows = made_up_rows();
  const ContextStatistics whole = count_contexts(ContextNumber::kSize, rows),
                          a = count_contexts(ContextNumber::kSize, {rows.begin(), rows.begin() + 2}),
                          b = count_contexts(ContextNumber::kSize, {rows.begin() + 2, rows.end()});
  EXPECT_EQ(merged(a, b).counts, whole.counts);
  EXPECT_EQ(merged(b, a).counts, whole.counts);
}

TEST(ContextStatisticsTest, ReducedOnesKnowTheRangeOfEachKey) {
  const auto range_of = [](ContextNumber number) {
    const ContextStatistics small = count_contexts(number, made_up_rows()).reduced();
    EXPECT_EQ(small.keys.size(), 1u) << "keys of one row are as those never seen";
    EXPECT_EQ(small.find(1), nullptr);
    EXPECT_EQ(small.find(2)->rows, 5u) << "rows without a value are rows, too";
    return std::string(context_ranges()[small.find(2)->range]);
  };
  EXPECT_EQ(range_of(ContextNumber::kSize), "4 to 10");
  EXPECT_EQ(range_of(ContextNumber::kDistinct), "2 to 4");
  EXPECT_EQ(range_of(ContextNumber::kVariety), "below 2");
}

}  // namespace
}  // namespace fovea::linkage
