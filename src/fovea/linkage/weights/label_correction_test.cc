// SPDX-License-Identifier: Apache-2.0
#include "fovea/linkage/weights/label_correction.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <stdexcept>
#include <vector>

#include "fovea/base/error.h"
#include "fovea/base/log_math.h"
#include "tests/support/expect_error.h"

namespace fovea::linkage {
namespace {

const std::vector<std::size_t> kTwoComparisons = {3, 3};
const MatchWeights kSaidByLabels = {.prior_log_odds = -1, .weights = {{0, -2, 2}, {0, -2, 2}}};

/// Pairs labelled as kSaidByLabels says, of which a model says something else.
std::vector<LabelledExample> draw_examples(std::size_t count, const MatchWeights& said, Random random) {
  std::vector<LabelledExample> examples;
  for (std::uint32_t i = 0; i < count; ++i) {
    const std::vector<Level> levels = {static_cast<Level>(random.uniform_index(3)),
                                       static_cast<Level>(random.uniform_index(3))};
    examples.push_back({.levels = levels,
                        .score = said.score(levels),
                        .is_match = random.bernoulli(sigmoid(kSaidByLabels.score(levels))),
                        .first_group = i / 2,
                        .second_group = i / 2});
  }
  return examples;
}

LabelCorrection correct_examples(const std::vector<LabelledExample>& examples) {
  return correct_by_labels(kTwoComparisons, examples, {}, Random(3), [] {});
}

TEST(LabelCorrection, MovesWeightsTowardsWhatLabelsSay) {
  MatchWeights said = kSaidByLabels;
  said.weights[1] = {0, 1, -1};  // the second comparison the wrong way round
  const LabelCorrection correction = correct_examples(draw_examples(4000, said, Random(1)));
  EXPECT_TRUE(correction.helps);
  EXPECT_LT(correction.loss_with, .8 * correction.loss_without);
  const double lead = correction.weights.weights[1][2] - correction.weights.weights[1][1];
  EXPECT_NEAR(lead, 4 + 2, .8) << "from -2 to 4";
  EXPECT_NEAR(correction.weights.weights[0][2] - correction.weights.weights[0][1], 0, .5);
  EXPECT_THAT(correction.brief(), HasSubstr("4000 labelled pairs"));
}

TEST(LabelCorrection, WhatIsSaidOfDoubtfulPairsLeavesOthersAlone) {
  // Doubtful pairs agree in one comparison, and people say that they do not match; pairs that agree in both do.
  const MatchWeights said = {.prior_log_odds = -3, .weights = {{0, -3, 3}, {0, -3, 3.2}}};
  std::vector<LabelledExample> doubtful;
  Random random(5);
  for (std::uint32_t i = 0; i < 100; ++i) {
    const std::vector<Level> levels = {2, static_cast<Level>(random.uniform_index(2))};
    doubtful.push_back({.levels = levels,
                        .score = said.score(levels),
                        .is_match = random.bernoulli(.1),
                        .first_group = i,
                        .second_group = i});
  }
  std::vector<UnlabelledExample> others;
  for (const std::vector<Level>& levels : {std::vector<Level>{2, 2}, std::vector<Level>{1, 1}})
    others.push_back({.levels = levels, .score = said.score(levels), .weight = 500});
  const auto match_score = [&](const std::vector<UnlabelledExample>& unlabelled) {
    const LabelCorrection correction = correct_by_labels(kTwoComparisons, doubtful, unlabelled, Random(3), [] {});
    EXPECT_TRUE(correction.helps);
    return said.score(std::vector<Level>{2, 2}) + correction.weights.score(std::vector<Level>{2, 2});
  };
  EXPECT_LT(match_score({}), 3.2 - .8);
  EXPECT_GT(match_score(others), 3.2 - .3);
}

TEST(LabelCorrection, LeavesAModelThatIsRight) {
  int helped = 0;
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const LabelCorrection correction = correct_examples(draw_examples(100, kSaidByLabels, Random(seed)));
    helped += correction.helps;
    if (correction.helps) continue;
    EXPECT_EQ(correction.l2, 0);
    EXPECT_EQ(correction.weights.score(std::vector<Level>{1, 2}), 0);
    EXPECT_THAT(correction.brief(), HasSubstr("stays"));
  }
  EXPECT_LT(helped, 10) << "chance alone seldom looks like help";
}

/// A hundred answers to one question: the same levels, in one group.
TEST(LabelCorrection, OneGroupProvesNothing) {
  std::vector<LabelledExample> examples = draw_examples(100, kSaidByLabels, Random(1));
  for (LabelledExample& example : examples) example.first_group = example.second_group = 7;
  const LabelCorrection correction = correct_examples(examples);
  EXPECT_FALSE(correction.helps);
  EXPECT_THAT(correction.brief(), HasSubstr("agree in too few ways"));
}

TEST(LabelCorrection, WeightsCountAsRepeats) {
  std::vector<LabelledExample> twice = draw_examples(600, {.weights = {{0, 0, 0}, {0, 0, 0}}}, Random(2)),
                               weighted = twice;
  for (LabelledExample& example : weighted) example.weight = 2;
  twice.insert(twice.end(), weighted.begin(), weighted.end());
  for (LabelledExample& example : twice) example.weight = 1;
  const LabelCorrection a = correct_examples(twice), b = correct_examples(weighted);
  EXPECT_EQ(a.l2, b.l2);
  for (std::size_t c = 0; c < 2; ++c)
    for (std::size_t l = 0; l < 3; ++l) EXPECT_NEAR(a.weights.weights[c][l], b.weights.weights[c][l], 1e-3);
}

TEST(LabelCorrection, PairsOfOneKindTeachNothing) {
  std::vector<LabelledExample> examples = draw_examples(10, kSaidByLabels, Random(1));
  for (LabelledExample& example : examples) example.is_match = true;
  EXPECT_FALSE(correct_examples(examples).helps);
  EXPECT_EQ(correct_examples(examples).brief(),
            "the 10 labelled pair(s) all match, which teaches no weights; what was learned without them stays");
  EXPECT_FALSE(correct_examples({}).helps);
}

TEST(LabelCorrection, CanBeEnded) {
  EXPECT_THROW(correct_by_labels(kTwoComparisons, draw_examples(100, kSaidByLabels, Random(1)), {}, Random(3),
                                 [] { throw std::runtime_error("enough"); }),
               std::runtime_error);
}

}  // namespace
}  // namespace fovea::linkage
