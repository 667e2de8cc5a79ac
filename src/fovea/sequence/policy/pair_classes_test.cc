// SPDX-License-Identifier: Apache-2.0
#include "fovea/sequence/policy/pair_classes.h"

#include <gmock/gmock.h>

#include <cmath>
#include <limits>
#include <set>

namespace fovea::sequence {
namespace {

using ::testing::Each;

LabelNgram pair(Value a, Value b, float score) { return {.labels = {a, b}, .size = 2, .score = score}; }

TEST(PairClasses, OfLabelsAreAllDifferent) {
  const PairClasses classes = PairClasses::of_labels(3);
  EXPECT_EQ(classes.count, 16u);
  EXPECT_EQ(std::set<std::uint32_t>(classes.left.begin(), classes.left.end()).size(), 16u);
  EXPECT_EQ(classes.right, classes.left);
}

TEST(PairClasses, SurpriseGrowsAsAPairScoresLessThanOthersWithTheSameNeighbour) {
  // After 0, the label 0 scores e^0 of e^0 + e^-4; before 1, the label 0 scores e^-4 of e^-4 + e^5.
  const std::vector<LabelNgram> pairs = {pair(0, 1, -4), pair(1, 0, 2), pair(1, 1, 5)};
  const PairClasses classes = PairClasses::of_surprise(LabelNgrams(2, 2, pairs));
  const auto expected = [](double all, double score) {
    return 1 + static_cast<std::uint32_t>(std::min(9.0, 2 * std::sqrt(all - score)));
  };
  const double after_zero = std::log1p(std::exp(-4.0)), before_one = std::log(std::exp(-4.0) + std::exp(5.0));
  const double after_one = std::log(std::exp(2.0) + std::exp(5.0)), before_zero = std::log1p(std::exp(2.0));
  EXPECT_EQ(classes.left[0 * 3 + 0], expected(after_zero, 0));
  EXPECT_EQ(classes.left[0 * 3 + 1], expected(after_zero, -4));
  EXPECT_EQ(classes.left[1 * 3 + 0], expected(after_one, 2));
  EXPECT_EQ(classes.right[0 * 3 + 1], expected(before_one, -4));
  EXPECT_EQ(classes.right[0 * 3 + 0], expected(before_zero, 0));
  EXPECT_GT(classes.right[0 * 3 + 1], classes.right[1 * 3 + 1]);
  for (const Value label : {0, 1, 2}) {
    EXPECT_EQ(classes.left[2 * 3 + label], 0u) << "a pad is not a neighbour";
    EXPECT_EQ(classes.right[label * 3 + 2], 0u);
  }
}

TEST(PairClasses, ForbiddenPairsSurpriseMost) {
  const std::vector<LabelNgram> pairs = {pair(0, 1, -std::numeric_limits<float>::infinity()), pair(1, 1, -500)};
  const PairClasses classes = PairClasses::of_surprise(LabelNgrams(2, 2, pairs));
  EXPECT_EQ(classes.left[0 * 3 + 1], PairClasses::kSurprises - 1);
  EXPECT_EQ(classes.left[1 * 3 + 1], PairClasses::kSurprises - 1);
  const std::vector<LabelNgram> none = {pair(0, 0, -std::numeric_limits<float>::infinity()), pairs[0]};
  EXPECT_EQ(PairClasses::of_surprise(LabelNgrams(2, 2, none)).left[0], PairClasses::kSurprises - 1);
}

TEST(PairClasses, LongerNgramsDoNotCount) {
  const std::vector<LabelNgram> pairs = {pair(0, 1, 3)};
  std::vector<LabelNgram> more = pairs;
  more.push_back({.labels = {1, 0, 1}, .size = 3, .score = 7});
  EXPECT_EQ(PairClasses::of_surprise(LabelNgrams(2, 3, more)).left,
            PairClasses::of_surprise(LabelNgrams(2, 2, pairs)).left);
  EXPECT_THAT(PairClasses::of_surprise(LabelNgrams(2, 1)).left, Each(0u));
}

}  // namespace
}  // namespace fovea::sequence
