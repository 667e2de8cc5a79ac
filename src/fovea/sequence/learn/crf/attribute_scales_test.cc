// SPDX-License-Identifier: Apache-2.0
#include "fovea/sequence/learn/crf/attribute_scales.h"

#include <gtest/gtest.h>

#include "fovea/base/random.h"
#include "fovea/sequence/learn/margin/structured_svm.h"
#include "tests/support/reference_crf.h"

namespace fovea::sequence {
namespace {

constexpr float kLarge = 1.5e9f;

/// Two attributes: the first mostly tells the label; the second has values in [scale / 2, scale] that tell nothing.
TrainingSet noisy(float scale) {
  Random random(4);
  TrainingSet set = testing::empty_training_set(2, 2);
  for (std::size_t item = 0; item < 300; ++item) {
    const auto label = static_cast<Value>(random.uniform_index(2));
    const bool is_known = random.bernoulli(.9);
    const float largest = item == 0 ? 1.0f : .5f + .05f * static_cast<float>(random.uniform_index(10));
    set.labels.push_back(label);
    set.items.items.columns.insert(set.items.items.columns.end(), {0, 1});
    set.items.items.values.insert(set.items.items.values.end(),
                                  {(label == 1) == is_known ? 1.0f : -1.0f, largest * scale});
    set.items.items.end_row();
    if (item % 10 == 9) set.items.sequence_begin.push_back(static_cast<std::uint32_t>(set.labels.size()));
  }
  return set;
}

void expect_same_scores(const CrfWeights& small, const CrfWeights& large) {
  ASSERT_EQ(small.weights().size(), 4u);
  ASSERT_EQ(large.weights().size(), 4u);
  for (std::size_t i = 0; i < 2; ++i) EXPECT_NEAR(large.weights()[i], small.weights()[i], 1e-2) << i;
  for (std::size_t i = 2; i < 4; ++i) EXPECT_NEAR(large.weights()[i] * kLarge, small.weights()[i], 1e-2) << i;
}

TEST(AttributeScalesTest, LargeValuesTrainAsSmallOnes) {
  const TrainingSet small = noisy(1), large = noisy(kLarge);
  const CrfTrainer crf({.tolerance = 0});
  const CrfTrainer::Result result = crf.train(large);
  expect_same_scores(crf.train(small).weights, result.weights);
  EXPECT_TRUE(crf.train(small).summary.scaled.empty());
  ASSERT_EQ(result.summary.scaled.size(), 1u);
  EXPECT_EQ(result.summary.scaled[0].attribute, 1u);
  EXPECT_EQ(result.summary.scaled[0].scale, kLarge);
  const StructuredSvmTrainer svm({});
  expect_same_scores(svm.train(small).weights, svm.train(large).weights);
}

TEST(AttributeScalesTest, StartsAndScoresAreOfTheOriginalValues) {
  const TrainingSet set = noisy(kLarge);
  const CrfTrainer trainer({.iterations = 1, .start_passes = 1});
  const CrfWeights start = trainer.train(set).weights;
  const AttributeScales scales(set);
  const CrfWeights back = scales.to_original(scales.to_scaled(start));
  for (std::size_t i = 0; i < 4; ++i)
    EXPECT_NEAR(back.weights()[i], start.weights()[i], 1e-6 * std::abs(start.weights()[i]));
  TrainingHooks hooks;
  float seen = 0;
  hooks.dev_every = 1;
  hooks.dev_score = [&](const CrfWeights& weights) { return seen = std::max(seen, std::abs(weights.weights()[2])); };
  (void)trainer.train(set, {}, hooks, &start);
  EXPECT_GT(seen, 0);
  EXPECT_LT(seen, 1e-6) << "weights of values of 1e9";
}

}  // namespace
}  // namespace fovea::sequence
