// SPDX-License-Identifier: Apache-2.0
#include "fovea/linkage/clustering/record_schedule.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "fovea/base/random.h"

namespace fovea::linkage {
namespace {

using News = RecordFeatures::News;

TEST(RecordFeaturesTest, NumbersAllCombinations) {
  std::vector<int> seen(RecordFeatures::kCount);
  for_each_record_features([&](const RecordFeatures& features) { ++seen.at(features.index()); });
  EXPECT_EQ(std::ranges::count(seen, 1), RecordFeatures::kCount);
}

TEST(RecordFeaturesTest, ClassesAreOctaves) {
  EXPECT_EQ(RecordFeatures::age_class(0), 0u);
  EXPECT_EQ(RecordFeatures::age_class(1), 1u);
  EXPECT_EQ(RecordFeatures::age_class(2), 2u);
  EXPECT_EQ(RecordFeatures::age_class(3), 2u);
  EXPECT_EQ(RecordFeatures::age_class(1U << 20), RecordFeatures::kAges - 1);
  EXPECT_EQ(RecordFeatures::size_class(1), 0u);
  EXPECT_EQ(RecordFeatures::size_class(3), 1u);
  EXPECT_EQ(RecordFeatures::size_class(32), RecordFeatures::kSizes - 1);
  EXPECT_EQ(RecordFeatures::size_class(1000), RecordFeatures::kSizes - 1);
}

TEST(RecordRuleTest, HotIsTheInverseOfRefusals) {
  const RecordRule hot = RecordRule::hot();
  for (const std::size_t refusals : {1, 4, 256})
    EXPECT_NEAR(std::exp(hot.log_gain({.age = RecordFeatures::age_class(refusals)}, 5)), 0.5 / refusals, 1e-12);
  EXPECT_GT(hot.log_gain({.age = 1, .news = News::kLost}, 5), hot.log_gain({}, 5));
}

TEST(RecordRuleTest, TheLearnedOneExpectsLessAndLess) {
  const RecordRule rule = RecordRule::learned();
  for (std::size_t age = 2; age < RecordFeatures::kAges; ++age)
    EXPECT_LT(rule.log_gain({.age = age}, 10), rule.log_gain({.age = age - 1}, 10)) << age;
  EXPECT_GT(rule.log_gain({.age = 5}, 10), rule.log_gain({.age = 5}, 3)) << "among many it takes longer";
}

// Up to the width of a bucket. There are so few records that no cluster is too large to get its news.
TEST(RecordScheduleTest, ChoosesOneOfWhichMostIsExpected) {
  constexpr std::uint32_t kRecords = 8;
  constexpr double kBucket = 20.0 / 256;
  const RecordRule rule = RecordRule::learned();
  Partition partition(kRecords);
  RecordSchedule schedule(rule, partition);
  Random random(1);
  for (int step = 0; step < 5000; ++step) {
    const RecordId m = schedule.next();
    if (random.bernoulli(0.2)) {
      const ClusterId from = partition.cluster(m), to = partition.cluster(random.uniform_index(kRecords));
      if (from != to) {
        partition.move(m, to);
        schedule.moved(m, from, to, partition);
      }
      schedule.visited(m, from != to, partition);
    } else {
      schedule.visited(m, false, partition);
    }
    double most = -1e9;
    const double crowd = std::log2(kRecords);
    for (RecordId n = 0; n < kRecords; ++n)
      most = std::max(most, rule.log_gain(schedule.features(n, partition), crowd));
    ASSERT_GE(std::max(schedule.log_gain(partition), -16.0), std::max(most, -16.0) - kBucket) << step;
  }
}

TEST(RecordScheduleTest, EqualsTakeTurns) {
  const Partition partition(5);
  RecordSchedule schedule(RecordRule{}, partition);
  for (int round = 0; round < 3; ++round)
    for (RecordId m = 0; m < 5; ++m) {
      EXPECT_EQ(schedule.next(), m);
      schedule.visited(m, false, partition);
    }
}

TEST(RecordScheduleTest, RemembersRefusalsAndNews) {
  Partition partition(4);
  RecordSchedule schedule(RecordRule::hot(), partition);
  for (int visit = 0; visit < 3; ++visit) schedule.visited(0, false, partition);
  EXPECT_EQ(schedule.features(0, partition).age, 2u);
  partition.move(0, 1);
  schedule.moved(0, 0, 1, partition);
  EXPECT_EQ(schedule.memory()[0].refusals, 0);
  EXPECT_EQ(schedule.features(1, partition).news, News::kGained);
  EXPECT_EQ(schedule.features(1, partition).size, 1u);
  EXPECT_EQ(schedule.features(2, partition).news, News::kNone);
  partition.move(0, 2);
  schedule.moved(0, 1, 2, partition);
  EXPECT_EQ(schedule.features(1, partition).news, News::kLost);
  schedule.visited(1, false, partition);
  EXPECT_EQ(schedule.features(1, partition).news, News::kNone);
}

TEST(RecordScheduleTest, WhoIsLeftBehindComesFirst) {
  Partition partition(std::vector<ClusterId>{0, 0, 2, 3, 4});
  RecordSchedule schedule(RecordRule::hot(), partition);
  for (RecordId m = 0; m < 5; ++m) schedule.visited(m, false, partition);
  partition.move(0, 2);
  schedule.moved(0, 0, 2, partition);
  schedule.visited(0, true, partition);
  EXPECT_EQ(schedule.next(), 1u);
}

TEST(RecordScheduleTest, RefusalsAreCountedToTheLast) {
  const Partition partition(1);
  RecordSchedule schedule(RecordRule::hot(), partition, {RecordMemory{.refusals = 0xFFFE}});
  for (int visit = 0; visit < 3; ++visit) schedule.visited(0, false, partition);
  EXPECT_EQ(schedule.memory()[0].refusals, 0xFFFF);
}

}  // namespace
}  // namespace fovea::linkage
