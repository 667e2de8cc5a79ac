// SPDX-License-Identifier: Apache-2.0
#include "fovea/sequence/learn/stochastic_start.h"

#include <gtest/gtest.h>

#include <utility>
#include <vector>

#include "tests/support/reference_crf.h"

namespace fovea::sequence {
namespace {

CrfFeatures pair_features(const TrainingSet& set) {
  return observed_features(set, TransposedItems(set.items, set.attribute_count), 2);
}

TEST(StochasticStart, IsTheSameToTheBitAtAnyNumberOfThreads) {
  const testing::RandomTrainingShape shape{
      .label_count = 5, .lengths = std::vector<std::uint32_t>(500, 9), .attribute_count = 3000};
  const TrainingSet set = testing::random_training_set(shape, 15);
  const CrfFeatures features = pair_features(set);
  const auto weights = [&](int threads) {
    StochasticStart start(set, features, .1, std::vector<float>(features.dimension()), Random(16), threads);
    start.calibrate();
    const double first = start.pass(), second = start.pass();
    EXPECT_LT(second, first);
    return std::move(start).take_average();
  };
  const std::vector<float> one = weights(1);
  EXPECT_EQ(weights(3), one);
  EXPECT_EQ(weights(20), one);
}

TEST(StochasticStart, StopsAfterABatch) {
  const TrainingSet set = testing::random_training_set({.lengths = std::vector<std::uint32_t>(500, 9)}, 17);
  const CrfFeatures features = pair_features(set);
  for (const int threads : {1, 3}) {
    StochasticStart start(set, features, .1, std::vector<float>(features.dimension()), Random(18), threads);
    int batches = 0;
    start.pass([&] { return ++batches == 4; });
    EXPECT_EQ(batches, 4);
  }
}

/// Members that stop before the first snapshot must all report that they have none. A snapshot takes several batches
/// here, and in 500 rounds members come at different times.
TEST(StochasticStart, StopsBeforeTheFirstSnapshot) {
  const TrainingSet set = testing::random_training_set({.lengths = std::vector<std::uint32_t>(1000, 30)}, 19);
  const CrfFeatures features = pair_features(set);
  StochasticStart start(set, features, .1, std::vector<float>(features.dimension()), Random(20), 4);
  for (int round = 0; round < 500; ++round) {
    int batches = 0;
    start.pass([&] { return ++batches == 1; });
    ASSERT_EQ(batches, 1);
  }
}

}  // namespace
}  // namespace fovea::sequence
