// SPDX-License-Identifier: Apache-2.0
#include "fovea/sequence/learn/margin/loss_augmented_sequence.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "fovea/sequence/learn/training_set.h"
#include "tests/support/reference_margin.h"

namespace fovea::sequence {
namespace {

using testing::random_parameters;
using testing::random_training_set;
using testing::RandomTrainingShape;
using testing::ReferenceMargin;

/// A training set with weights.
struct WeightedChain {
  WeightedChain(const RandomTrainingShape& shape, int factor_size, std::uint32_t seed)
      : set(random_training_set(shape, seed)),
        features(observed_features(set, TransposedItems(set.items, set.attribute_count), factor_size)),
        weights(features) {
    const std::vector<float> x = random_parameters(features.dimension(), seed + 1);
    std::vector<std::pair<std::uint32_t, float>> change;
    for (std::uint32_t i = 0; i < x.size(); ++i) change.emplace_back(i, x[i] / 2);
    weights.add(change, 2);
  }

  std::vector<double> x() const { return {weights.values().begin(), weights.values().end()}; }

  TrainingSet set;
  CrfFeatures features;
  MarginWeights weights;
};

/// True if no labeling counts more than this one.
bool is_most_violating(const WeightedChain& chain, std::size_t s, const std::vector<Value>& labels) {
  const ReferenceMargin reference(chain.set, chain.features, 1);
  const std::vector<double> x = chain.x();
  const double highest = reference.augmented(s, reference.most_violating(s, x), x);
  return std::abs(reference.augmented(s, labels, x) - highest) < 1e-9;
}

void expect_enumerated_maxima(const WeightedChain& chain) {
  const ReferenceMargin reference(chain.set, chain.features, 1);
  LossAugmentedSequence decoder(chain.set);
  for (std::size_t s = 0; s < chain.set.items.sequence_count(); ++s) {
    decoder.bind(s, chain.weights);
    std::vector<Value> labels(decoder.length());
    const double score = decoder.decode(labels);
    EXPECT_TRUE(is_most_violating(chain, s, labels)) << s;
    EXPECT_NEAR(score, reference.augmented(s, labels, chain.x()), 1e-9);
    EXPECT_NEAR(decoder.score(labels), score, 1e-9);
  }
}

class LossAugmentedSequenceTest : public ::testing::TestWithParam<int> {};

TEST_P(LossAugmentedSequenceTest, FindsTheEnumeratedMaximum) {
  for (std::uint32_t seed = 0; seed < 10; ++seed)
    expect_enumerated_maxima(WeightedChain({.with_values = seed % 2 == 1}, GetParam(), 10 * seed));
}

TEST_P(LossAugmentedSequenceTest, FindsTheEnumeratedMaximumOfManyLabels) {
  expect_enumerated_maxima(WeightedChain({.label_count = 19, .lengths = {2, 1, 3}}, GetParam(), 3));
}

/// The wrong fixture, which the checks above must reject.
TEST_P(LossAugmentedSequenceTest, DecodingWithoutTheLossIsToldFromIt) {
  int told = 0;
  for (std::uint32_t seed = 0; seed < 10; ++seed) {
    const WeightedChain chain({}, GetParam(), 10 * seed);
    const ReferenceMargin lossless(chain.set, chain.features, 1, 0);
    for (std::size_t s = 0; s < chain.set.items.sequence_count(); ++s)
      told += !is_most_violating(chain, s, lossless.most_violating(s, chain.x()));
  }
  EXPECT_GT(told, 10);
}

INSTANTIATE_TEST_SUITE_P(FactorSizes, LossAugmentedSequenceTest, ::testing::Values(1, 2));

TEST(LossAugmentedSequence, LowerLabelsWinAmongEquals) {
  const TrainingSet set = random_training_set({.label_count = 3, .lengths = {4}}, 1);
  const CrfFeatures features = observed_features(set, TransposedItems(set.items, set.attribute_count), 2);
  const MarginWeights weights(features);
  LossAugmentedSequence decoder(set);
  decoder.bind(0, weights);
  std::vector<Value> labels(4);
  EXPECT_EQ(decoder.decode(labels), 4);
  for (std::size_t t = 0; t < 4; ++t) EXPECT_EQ(labels[t], set.labels[t] == 0 ? 1 : 0);
  EXPECT_EQ(hamming_loss(decoder.truth(), labels), 4u);
  EXPECT_EQ(decoder.score(decoder.truth()), 0);
}

}  // namespace
}  // namespace fovea::sequence
